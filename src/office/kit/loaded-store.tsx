import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { type ComponentProps, type ReactNode, useCallback, useEffect } from 'react'
import { LoadState } from '../../islands/parts/States.tsx'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'

/** A store with the function that loads it. */
interface Resource<T, Choice> {
  $state: ReadableAtom<Loaded<T>>
  load: (of: Choice) => Promise<void>
}

interface Props<T, Choice> {
  /** Is loaded when the page opens, and whenever `of` changes. */
  from: Resource<T, Choice>
  /** The choice that is loaded, if there are several; nothing is while it is null. */
  of?: Choice | null
  texts: { loading: string; failed: ComponentProps<typeof LoadState>['failed'] }
  /** The outlines of what is loaded. */
  shapes: ComponentProps<typeof LoadState>['loading']['shapes']
  children: (value: T) => ReactNode
}

/** Loads a store when the page opens, and shows its value once it is there. */
export function LoadedStore<T, Choice = undefined>({
  from: { $state, load },
  of,
  texts,
  shapes,
  children,
}: Props<T, Choice>) {
  const state = useStore($state, { ssr: notLoaded })
  // Without `of`, the choice is `undefined`.
  const start = useCallback(() => of !== null && void load(of as Choice), [load, of])
  useEffect(() => void start(), [start])
  const loading = { text: texts.loading, shapes }
  return (
    <LoadState state={state} loading={loading} failed={texts.failed} onRetry={start}>
      {children}
    </LoadState>
  )
}

/** Loads what a part of the page needs when it opens; null until it is there. */
export function useLoaded<T>({ $state, load }: Resource<T, void>): T | null {
  const state = useStore($state, { ssr: notLoaded })
  useEffect(() => void load(), [load])
  return state.phase === 'ready' ? state.value : null
}
