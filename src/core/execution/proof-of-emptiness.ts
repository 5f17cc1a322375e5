/**
 * When it is proved that nothing of ours stands at the venue: complete listings in a row that show nothing, the last of them
 * begun after everything that was signed can take effect no more.
 *
 * Three things prove it, and are not one, for they know different things. A bot's withdrawal (`execution/withdrawal.ts`) is a
 * part of the engine: it waits for nothing, knows its own orders and requests under way, counts a listing only where it was
 * begun after the last answer about an order, and gives up, for a run has to end. What a guard and `oddsmith kill` do
 * (`app/guard/clearance.ts`) stands outside of the bot, which may still run: it knows what the journal names, leaves a person's
 * orders alone, and goes on as long as it takes. `oddsmith kill --all` (`app/guard/account-wide.ts`) knows nothing and needs
 * not: whatever is listed is cancelled. A mistake that is found in one of them is to be looked for in the others.
 */
export const EMPTY_LISTINGS = 2;
