import type { ComponentProps } from 'react'
import { pathIn } from '../../i18n/paths.ts'
import { useLocale } from '../../islands/parts/island.tsx'
import type { PageAddress } from '../../rules/pages.ts'

type Kind = 'primary' | 'danger' | 'plain'

interface Props extends ComponentProps<'button'> {
  kind?: Kind | undefined
  /** Its class in place of `button`. */
  look?: string
  /** Whether the work that the button started is under way. */
  isBusy?: boolean | undefined
}

export function Button({ kind, look, isBusy, className, ...attributes }: Props) {
  return (
    <button
      type="button"
      aria-busy={isBusy}
      {...attributes}
      className={classesOf(kind, className, look)}
    />
  )
}

interface LinkProps extends ComponentProps<'a'> {
  kind?: Kind | undefined
  /** The page's path without its language, with its query. */
  to: PageAddress
}

export function ButtonLink({ kind, to, className, ...attributes }: LinkProps) {
  const href = pathIn(useLocale(), to)
  return <a {...attributes} href={href} className={classesOf(kind, className)} />
}

const classesOf = (kind: Kind | undefined, more: string | undefined, look = 'button') =>
  [look, kind && `button--${kind}`, more].filter(Boolean).join(' ')
