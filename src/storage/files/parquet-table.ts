/** One Parquet file, written some rows at a time. */
import { rmSync, writeFileSync } from 'node:fs';
import type { ParquetWriter } from 'hyparquet-writer';

/** Integers are exact: a decimal is given as its count of 0.000001. */
export type ColumnKind = 'decimal' | 'integer' | 'time' | 'text';

export interface Column {
  readonly name: string;
  readonly kind: ColumnKind;
}

/** By name of the column; null where there is nothing. */
export type Row = Readonly<Record<string, bigint | number | string | null>>;

const GROUP_ROWS = 20_000;

type Element = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const ELEMENTS: Readonly<Record<ColumnKind, Omit<Element, 'name'>>> = {
  decimal: { type: 'INT64', converted_type: 'DECIMAL', precision: 18, scale: 6, repetition_type: 'OPTIONAL' },
  integer: { type: 'INT64', repetition_type: 'OPTIONAL' },
  time: { type: 'INT64', converted_type: 'TIMESTAMP_MICROS', repetition_type: 'OPTIONAL' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'OPTIONAL' },
};

/** Memory is that of one group of rows, whatever their number. */
export class ParquetTable {
  private rows: Row[] = [];
  private count = 0;

  private constructor(
    private readonly writer: ParquetWriter,
    private readonly columns: readonly Column[],
  ) {}

  /** @param path a new file, for its owner alone to read; one that is there goes */
  static async open(path: string, columns: readonly Column[]): Promise<ParquetTable> {
    // Most commands write no Parquet.
    const { fileWriter, ParquetWriter } = await import('hyparquet-writer');
    const root: Element = { name: 'root', num_children: columns.length };
    const schema = [root, ...columns.map(({ name, kind }): Element => ({ name, ...ELEMENTS[kind] }))];
    rmSync(path, { force: true });
    writeFileSync(path, '', { mode: 0o600 });
    const writer = new ParquetWriter({ writer: fileWriter(path), schema, createdBy: 'oddsmith' });
    return new ParquetTable(writer, columns);
  }

  get length(): number {
    return this.count;
  }

  async add(row: Row): Promise<void> {
    this.count += 1;
    this.rows.push(row);
    if (this.rows.length >= GROUP_ROWS) await this.flush();
  }

  async close(): Promise<void> {
    if (this.rows.length > 0) await this.flush();
    await this.writer.finish();
  }

  private async flush(): Promise<void> {
    const rows = this.rows;
    this.rows = [];
    const columnData = this.columns.map(({ name, kind }) => ({
      name,
      data: rows.map((row) => valueOf(row[name] ?? null, kind)),
    }));
    await this.writer.write({ columnData, rowGroupSize: GROUP_ROWS });
  }
}

const valueOf = (value: bigint | number | string | null, kind: ColumnKind): bigint | string | null =>
  value === null || kind === 'text' ? (value as string | null) : BigInt(value);
