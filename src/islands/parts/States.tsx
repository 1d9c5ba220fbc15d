import type { ReactNode } from 'react'
import type { Loaded } from '../../stores/shared/loader.ts'
import { accountAddress } from './addresses.ts'
import { problemText, useErrorTexts } from './error-texts.ts'
import { useLocale } from './island.tsx'

interface BlockProps {
  title?: string
  text: string
  /** What the visitor can do now. */
  children?: ReactNode
}

/** There is nothing to show. */
export function EmptyState({ title, text, children }: BlockProps) {
  return (
    <div className="empty-state">
      {title && <h2>{title}</h2>}
      <p>{text}</p>
      {children}
    </div>
  )
}

/** What should stand here could not be shown. */
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
  /** The page to come back to, where that is not the whole address that is shown. */
  returnTo?: string
}

/** The session of this page has ended. */
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

/** The outlines of what is on its way; `text` is read aloud. */
export function Skeleton({ text, shapes, className = 'stack' }: SkeletonProps) {
  return (
    <div className={className} role="status" aria-busy="true">
      <span className="visually-hidden">{text}</span>
      {shapes.map((shape, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: outlines never change places
        <div className={`skeleton skeleton--${shape}`} key={at} />
      ))}
    </div>
  )
}

/** What is said of something while it is on its way, and where it did not come. */
export interface LoadStateTexts {
  loading: SkeletonProps
  failed: { title: string; retry: string }
}

interface LoadStateProps<T> extends LoadStateTexts {
  state: Loaded<T>
  onRetry: () => void
  /** What is shown of what was read. */
  children: (value: T) => ReactNode
}

/** Something that is read from the server: on its way, failed with the reason and a retry, or there. */
export function LoadState<T>(props: LoadStateProps<T>) {
  const { state, failed } = props
  const errors = useErrorTexts()
  if (state.phase === 'ready') return props.children(state.value)
  if (state.phase !== 'failed') return <Skeleton {...props.loading} />
  return (
    <ErrorState title={failed.title} text={problemText(state.problem, errors)}>
      <button type="button" className="button button--primary" onClick={props.onRetry}>
        {failed.retry}
      </button>
    </ErrorState>
  )
}
