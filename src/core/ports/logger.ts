/** Facts beside the text of a line; errors under `err`. Nothing needs to be cleaned of secrets beforehand. */
export type LogMembers = Readonly<Record<string, unknown>>;

/** Structured log lines: what happened as text, the facts as members. */
export interface Logger {
  debug(text: string, members?: LogMembers): void;
  info(text: string, members?: LogMembers): void;
  warn(text: string, members?: LogMembers): void;
  error(text: string, members?: LogMembers): void;
}
