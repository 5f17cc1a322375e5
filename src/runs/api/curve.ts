/** A line over time that never grows beyond its bound: when it is full, every second point goes, and points come half as often. */
export class Curve<Point extends { readonly at: number }> {
  private kept: Point[] = [];

  /**
   * @param most points
   * @param spacing least milliseconds between two
   */
  constructor(
    private readonly most: number,
    private spacing: number,
  ) {}

  get points(): readonly Point[] {
    return this.kept;
  }

  /** Whether a point of that time would be taken. */
  wants(at: number): boolean {
    const last = this.kept.at(-1);
    return last === undefined || at - last.at >= this.spacing;
  }

  add(point: Point): void {
    if (!this.wants(point.at)) return;
    this.kept.push(point);
    if (this.kept.length <= this.most) return;
    this.kept = this.kept.filter((_, place) => place % 2 === 0);
    this.spacing *= 2;
  }
}
