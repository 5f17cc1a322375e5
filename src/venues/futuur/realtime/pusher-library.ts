import pusherModule from 'pusher-js';

/**
 * pusher-js under Node's own module resolution. The package is CommonJS that exports the class itself, but its types
 * describe a module with a default export, so that `new` on the import does not compile.
 */
export const Pusher = pusherModule as unknown as typeof pusherModule.default;
export type Pusher = InstanceType<typeof Pusher>;
