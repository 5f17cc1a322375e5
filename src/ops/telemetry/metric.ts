/** Name, help, type and labels of a metric, whatever it is read from. */
interface MetricHead {
  readonly name: `oddsmith_${string}`;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels: readonly string[];
}

/** One value with its labels. */
export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric and how it is read at a scrape, in base units: seconds, bytes, whole shares, currency units, 1 for true. */
export interface Metric<Source> extends MetricHead {
  readonly read: (source: Source) => readonly Sample[];
}

/** A metric without labels. */
export const plain = <Source>(
  head: Omit<MetricHead, 'labels'>,
  read: (source: Source) => number,
): Metric<Source> => ({ ...head, labels: [], read: (source) => [{ labels: {}, value: read(source) }] });

/** A metric of one label whose words are not known beforehand. */
export const byWord = <Source>(
  head: Omit<MetricHead, 'labels'>,
  label: string,
  read: (source: Source) => Readonly<Record<string, number>>,
): Metric<Source> => ({
  ...head,
  labels: [label],
  read: (source) =>
    Object.entries(read(source)).map(([word, value]) => ({ labels: { [label]: word }, value })),
});

/** Nothing is shown of what is not known. */
export const known = <Value>(value: Value | null, sample: (value: Value) => Sample): readonly Sample[] =>
  value === null ? [] : [sample(value)];

export const flag = (value: boolean): number => (value ? 1 : 0);
