/** Rows of a screen that are shared out: who asks first is given first. */
export class Room {
  constructor(private left: number) {}

  /** As many of them as there are. */
  take(wanted: number): number {
    const given = Math.max(0, Math.min(wanted, this.left));
    this.left -= given;
    return given;
  }

  /** All of them or none. */
  takeWhole(wanted: number): number {
    return wanted <= this.left ? this.take(wanted) : 0;
  }
}
