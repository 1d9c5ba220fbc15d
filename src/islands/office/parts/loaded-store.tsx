import { useStore } from '@nanostores/react'
import type { ReadableAtom } from 'nanostores'
import { type ComponentProps, type ReactNode, useEffect } from 'react'
import { type Loaded, notLoaded } from '../../../stores/shared/loader.ts'
import { LoadState } from '../../parts/States.tsx'

interface Props<T> {
  store: ReadableAtom<Loaded<T>>
  /** Loads into the store, first when the page opens. */
  load: () => Promise<void>
  texts: { loading: string; failed: ComponentProps<typeof LoadState>['failed'] }
  /** The outlines of what is loaded. */
  shapes: ComponentProps<typeof LoadState>['loading']['shapes']
  children: (value: T) => ReactNode
}

/** Loads a store when the page opens, and shows its value once it is there. */
export function LoadedStore<T>({ store, load, texts, shapes, children }: Props<T>) {
  const state = useStore(store, { ssr: notLoaded })
  useEffect(() => void load(), [load])
  const loading = { text: texts.loading, shapes }
  return (
    <LoadState state={state} loading={loading} failed={texts.failed} onRetry={load}>
      {children}
    </LoadState>
  )
}
