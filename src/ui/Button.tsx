import type { LabIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

/**
 * What a button is made from.
 */
export interface IButtonProps {
  /** The text; with an icon and `isCompact` only for those who cannot see the icon. */
  label: string;
  /** Its name for those who do not see what it stands beside; otherwise the text. */
  name?: string;
  /** More to say on hover. */
  caption?: string;
  /** A sign before the text. */
  icon?: LabIcon;
  /** How much it stands out. */
  look?: 'primary' | 'accept' | 'reject' | 'plain' | 'quiet' | 'link';
  /** Icon without text. */
  isCompact?: boolean;
  /** Whether it can be pressed. */
  isEnabled?: boolean;
  /** Whether what it shows is shown; left out for buttons that show nothing. */
  isExpanded?: boolean;
  /** What it does. */
  onClick: () => void;
}

/**
 * A button of the panel.
 */
export const Button = React.forwardRef<HTMLButtonElement, IButtonProps>(
  function Button(props, ref): JSX.Element {
    const { label, icon, isCompact = false, look = 'plain' } = props;
    return (
      <button
        ref={ref}
        type="button"
        className={`jp-mle-Button jp-mod-${look}${isCompact ? ' jp-mod-compact' : ''}`}
        title={props.caption ?? (isCompact ? label : undefined)}
        aria-label={props.name ?? (isCompact ? label : undefined)}
        aria-expanded={props.isExpanded}
        disabled={props.isEnabled === false}
        onClick={props.onClick}
      >
        {icon && <icon.react tag="span" className="jp-mle-Button-icon" />}
        {!isCompact && <span>{label}</span>}
      </button>
    );
  }
);
