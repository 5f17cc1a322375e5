import type { ScenarioName } from '../../runs/backtest/scenario-names.js';
import { type Explained, explainOrder } from '../../runs/explain/explain.js';
import type { OrderLine } from '../../runs/explain/order-story.js';
import type { OrderName } from '../../runs/explain/story-teller.js';
import { EXIT, type ExitCode, UsageError } from '../../domain/errors.js';
import { ORDER_LINE_HEAD, orderLineText, storyLines } from './explain-text.js';

export interface ExplainArguments {
  readonly scenario: ScenarioName;
  readonly json: boolean;
}

/** `oddsmith explain <run> [order]`: why an order stood where it did and what became of it; without one, all orders. */
export async function explainRun(
  path: string,
  order: OrderName | undefined,
  { scenario, json }: ExplainArguments,
): Promise<ExitCode> {
  if (order === undefined) return listOrders(path, scenario, json);
  const explained = await explainOrder(path, { order, scenario });
  warn(explained);
  const { story } = explained;
  if (story === null) throw new UsageError(`the run knows no such order; oddsmith explain ${path} lists all`);
  print(json ? [JSON.stringify(story)] : storyLines(story));
  return EXIT.clean;
}

/** An order is listed once the venue has named it, and at the end if it never did. */
async function listOrders(path: string, scenario: ScenarioName, json: boolean): Promise<ExitCode> {
  const unnamed = new Map<string, OrderLine>();
  let shown = 0;
  const show = (line: OrderLine): void => {
    if (shown === 0 && !json) print([ORDER_LINE_HEAD]);
    shown += 1;
    print([json ? JSON.stringify(line) : orderLineText(line)]);
  };
  const list = (line: OrderLine): void => {
    if (line.orderId === null) return void unnamed.set(line.name, line);
    unnamed.delete(line.name);
    show(line);
  };
  warn(await explainOrder(path, { order: null, scenario, list }));
  for (const line of unnamed.values()) show(line);
  if (shown === 0 && !json) print(['no orders']);
  return EXIT.clean;
}

function warn({ changed, gap }: Explained): void {
  if (gap !== null)
    process.stderr.write(`lines are missing at ${gap}: behind it the story may be another one\n`);
  for (const file of changed) process.stderr.write(`not what it was when this ran: ${file}\n`);
}

const print = (lines: readonly string[]): void => void process.stdout.write(`${lines.join('\n')}\n`);
