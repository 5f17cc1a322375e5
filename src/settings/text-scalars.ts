/** Text in settings that becomes an address or a path. */
import { z } from 'zod';

/** The interface of a venue. What is found is never repeated: a password may stand in it. */
export const urlScalar = z
  .url({ protocol: /^https?$/, error: 'expected an http or https URL' })
  .refine((text) => !hasCredentials(text), {
    message:
      'expected a URL without user name and password, which would be shown in errors and logs: keys go into publicKey and privateKey',
  })
  .refine((text) => !/[?#]/.test(text), {
    message: 'expected a URL without ? and #: paths are put behind it',
  });

function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}

/** A host alone; an empty one would be every interface of the machine. */
export const hostScalar = z.string().regex(/^[^\s/@?#]+$/, {
  error: 'expected a host name or address alone, such as 127.0.0.1 or ws.example.org',
});

/** A folder or a file. */
export const pathScalar = z
  .string()
  .regex(/^[^\0]*[^\s\0][^\0]*$/, { error: 'expected a path, found nothing' });

/** What files and folders are named after. */
export const fileNameScalar = z.string().regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u, {
  error: ({ input }) =>
    `expected at most 64 letters, digits, spaces and . _ -, beginning with a letter or digit, found ${JSON.stringify(input)}: files are named after it`,
});
