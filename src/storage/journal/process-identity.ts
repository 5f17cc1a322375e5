import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/**
 * What tells a process from every other that ever had its number: when it started, and in which boot. Null when
 * no such process is alive.
 */
export const processIdentity = (pid: number): string | null =>
  process.platform === 'linux' ? linuxIdentity(pid) : psIdentity(pid);

/** Field 22 of `/proc/<pid>/stat` counts from the boot; the name in field 2 may contain spaces and brackets. */
function linuxIdentity(pid: number): string | null {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === null) return null;
  const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const isDead = state === 'Z' || state === 'X';
  return isDead ? null : `${read('/proc/sys/kernel/random/boot_id')?.trim() ?? ''}/${fields[18] ?? ''}`;
}

function psIdentity(pid: number): string | null {
  try {
    const started = execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
    return started.trim() || null;
  } catch {
    // ps ends with a failure when there is no such process.
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}
