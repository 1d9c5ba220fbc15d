import type { ReactNode } from 'react'
import { accountAddress } from '../../i18n/addresses.ts'
import type { Loaded } from '../../stores/shared/loader.ts'
import type { Problem } from '../../stores/shared/problem.ts'
import { Button } from './Button.tsx'
import { problemText, useErrorTexts } from './error-texts.ts'
import { useLocale } from './island.tsx'

interface BlockProps {
  title?: string
  text: string
  /** What the visitor can do now. */
  children?: ReactNode
}

/** Shown instead of an empty list. */
export function EmptyState({ title, text, children }: BlockProps) {
  return (
    <div className="empty-state">
      {title && <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Shown instead of a part that failed. */
export function ErrorState({ title, text, children }: BlockProps) {
  return (
    <div className="error-state" role="alert">
      {title && <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </div>
  )
}

interface LoggedOutProps {
  text: string
  login: string
  /** The page to return to; by default the current one. */
  returnTo?: string
}

/** Shown to visitors who are not logged in, with a link to the log-in. */
export function LoggedOut({ text, login, returnTo }: LoggedOutProps) {
  const locale = useLocale()
  return (
    <ErrorState text={text}>
      <a className="button button--primary" href={accountAddress(locale, returnTo)}>
        {login}
      </a>
    </ErrorState>
  )
}

interface SkeletonProps {
  text: string
  shapes: readonly ('line' | 'button' | 'cover')[]
  className?: string
}

/** Placeholders for loading content; screen readers announce `text`. */
export function Skeleton({ text, shapes, className = 'stack' }: SkeletonProps) {
  return (
    <div className={className} role="status" aria-busy="true">
      <span className="visually-hidden">{text}</span>
      {shapes.map((shape, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders never change their order
        <div className={`skeleton skeleton--${shape}`} key={at} />
      ))}
    </div>
  )
}

/** The texts shown while something loads, and after the loading has failed. */
export interface LoadStateTexts {
  loading: SkeletonProps
  failed: { title: string; retry: string }
}

interface LoadStateProps<T> extends LoadStateTexts {
  state: Loaded<T>
  onRetry: () => void
  /** Renders the loaded value. */
  children: (value: T) => ReactNode
}

/** Whether repeating the call may help: it does not if the thing does not exist. */
export const isWorthRetrying = ({ status }: Pick<Problem, 'status'>): boolean => status !== 404

/**
 * Shows a value from the server once it is loaded; until then placeholders, or the reason of a
 * failure and a retry button.
 */
export function LoadState<T>(props: LoadStateProps<T>) {
  const { state, failed } = props
  const errors = useErrorTexts()
  if (state.phase === 'ready') return props.children(state.value)
  if (state.phase !== 'failed') return <Skeleton {...props.loading} />
  return (
    <ErrorState title={failed.title} text={problemText(state.problem, errors)}>
      {isWorthRetrying(state.problem) && (
        <Button kind="primary" onClick={props.onRetry}>
          {failed.retry}
        </Button>
      )}
    </ErrorState>
  )
}
