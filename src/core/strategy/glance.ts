/**
 * What a function looked at when it was asked last, of all that changes with nearly every book, and whether something
 * that it looked at is another since. While nothing is, it would answer the same: it is a function of what it sees.
 * What changes seldom is compared whether it was looked at or not, and is not noticed here.
 */
export class Glance {
  /** Levels of the book. Its touch is compared anyway. */
  levels = false;
  /** The time, and how long it is till the close. */
  time = false;
  toClose = false;
  /** What nobody can compare: the next draw of chance, and the other markets of the event. */
  chance = false;
  siblings = false;
  /** Something that was looked at is not as it was. */
  hasMoved = true;

  /** Whether the book alone may have changed and the function would not notice. */
  get seesNothingNew(): boolean {
    return !(this.hasMoved || this.time || this.toClose || this.chance || this.siblings);
  }

  /** The function is about to be asked. */
  begin(): void {
    this.levels = false;
    this.time = false;
    this.toClose = false;
    this.chance = false;
    this.siblings = false;
    this.hasMoved = false;
  }
}
