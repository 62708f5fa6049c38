import * as React from 'react';

/**
 * What a link is made from.
 */
export interface ILinkProps {
  /** Where it leads; only web addresses become links. */
  address: string;
  /** Its text. */
  children: React.ReactNode;
}

/**
 * A link to a page outside; nothing where the address is no web address.
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
