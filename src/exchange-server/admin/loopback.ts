/** Whether a peer address is this machine's own, in either family or IPv4 inside IPv6. */
export const isLoopback = (address: string | undefined): boolean =>
  address !== undefined && /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);
