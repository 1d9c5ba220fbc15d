import type { ComponentProps } from 'react'

interface Props extends ComponentProps<'button'> {
  kind?: 'primary' | 'danger' | 'plain' | undefined
  /** Whether the work that the button started is under way. */
  isBusy?: boolean | undefined
}

/** A button of the office; `className` adds classes to those of its kind. */
export function Button({ kind, isBusy, className, ...attributes }: Props) {
  const classes = ['button', kind && `button--${kind}`, className]
  return (
    <button
      type="button"
      aria-busy={isBusy}
      {...attributes}
      className={classes.filter(Boolean).join(' ')}
    />
  )
}
