import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { type ComponentProps, type ReactNode, useCallback, useEffect } from 'react'
import { LoadState } from '../../islands/parts/States.tsx'
import { type Loaded, notLoaded } from '../../stores/shared/loader.ts'

interface Props<T, Choice> {
  store: ReadableAtom<Loaded<T>>
  /** Loads into the store, first when the page opens, and whenever `of` changes. */
  load: (of: Choice) => Promise<void>
  /** The choice that is loaded, if there are several; nothing is while it is null. */
  of?: Choice | null
  texts: { loading: string; failed: ComponentProps<typeof LoadState>['failed'] }
  /** The outlines of what is loaded. */
  shapes: ComponentProps<typeof LoadState>['loading']['shapes']
  children: (value: T) => ReactNode
}

/** Loads a store when the page opens, and shows its value once it is there. */
export function LoadedStore<T, Choice = undefined>({
  store,
  load,
  of,
  texts,
  shapes,
  children,
}: Props<T, Choice>) {
  const state = useStore(store, { ssr: notLoaded })
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
