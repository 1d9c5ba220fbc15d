import './page-picture.css'
import { useState } from 'react'

interface Props {
  address: string
  /** The name of the page, such as its number. */
  name: string
  texts: { drawing: string; pageFailed: string; failed: { retry: string } }
  /** Reloads the addresses, because they expire. */
  onRetry: () => void
}

/** A page of a file as a picture, with a loading state and a retry button after a failure. */
export function PagePicture({ address, name, texts, onRetry }: Props) {
  const [state, setState] = useState<'drawing' | 'shown' | 'failed'>('drawing')
  if (state === 'failed') {
    return (
      <div className="page-picture error-state" role="alert">
        <p>{texts.pageFailed}</p>
        <button type="button" className="button button--primary" onClick={onRetry}>
          {texts.failed.retry}
        </button>
      </div>
    )
  }
  return (
    <div className="page-picture" aria-busy={state === 'drawing'}>
      <p role="status" className={state === 'shown' ? 'visually-hidden' : 'page-picture__drawing'}>
        {state === 'shown' ? (
          name
        ) : (
          <>
            <span className="spinner" /> {texts.drawing}
          </>
        )}
      </p>
      <img
        src={address}
        alt={name}
        onLoad={() => setState('shown')}
        onError={() => setState('failed')}
      />
    </div>
  )
}
