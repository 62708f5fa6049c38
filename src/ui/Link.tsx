import * as React from 'react';

/** Properties of a link. */
export interface ILinkProps {
  /** Destination; only web addresses become links. */
  address: string;
  /** Its text. */
  children: React.ReactNode;
}

/**
 * A link to an external page; without a link if the address is no web address.
 */
export function Link({ address, children }: ILinkProps): JSX.Element | null {
  if (!/^https?:\/\//i.test(address)) {
    return null;
  }
  return (
    <a
      className="jp-mle-Link"
      href={address}
      target="_blank"
      rel="noopener noreferrer"
    >
      {children}
    </a>
  );
}
