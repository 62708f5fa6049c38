import type { LabIcon } from '@jupyterlab/ui-components';
import * as React from 'react';

/** Properties of a button. */
export interface IButtonProps {
  /** The text; with an icon and `isCompact` only for those who cannot see the icon. */
  label: string;
  /**
   * Accessible name for users who do not see the context; the text if omitted.
   */
  name?: string;
  /** Tooltip. */
  caption?: string;
  /** A sign before the text. */
  icon?: LabIcon;
  /** Emphasis of the button. */
  look?: 'primary' | 'accept' | 'reject' | 'plain' | 'quiet' | 'link';
  /** Icon without text. */
  isCompact?: boolean;
  /** Whether it can be pressed. */
  isEnabled?: boolean;
  /** `aria-expanded`; omitted if the button toggles nothing. */
  isExpanded?: boolean;
  /** Called on a click. */
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
