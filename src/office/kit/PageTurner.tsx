import './page-turner.css'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { dirOf } from '../../i18n/locales.ts'
import { Button } from '../../islands/parts/Button.tsx'
import { IconButton } from '../../islands/parts/Icon.tsx'
import { useLocale } from '../../islands/parts/island.tsx'

interface Props {
  /** The page that is shown, from 1 to `count`. */
  page: number
  count: number
  texts: { previous: string; next: string }
  onTurn: (page: number) => void
  /** Names the page, between the buttons. */
  children: ReactNode
}

/** Turns the pages of a file, by buttons or, while the focus is on them, by the arrow keys. */
export function PageTurner({ page, count, texts, onTurn, children }: Props) {
  const locale = useLocale()
  const turn = (by: number) => onTurn(Math.min(Math.max(page + by, 1), count))
  const turnByKey = (event: KeyboardEvent) => {
    const forward = dirOf(locale) === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return
    event.preventDefault()
    turn(event.key === forward ? 1 : -1)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are an alternative to the buttons
    <div className="page-turner cluster lines-1" onKeyDown={turnByKey}>
      <IconButton
        icon="previous"
        label={texts.previous}
        disabled={page === 1}
        onClick={() => turn(-1)}
      />
      {children}
      <IconButton
        icon="previous"
        label={texts.next}
        className="page-turner__next"
        disabled={page === count}
        onClick={() => turn(1)}
      />
    </div>
  )
}

interface PictureProps {
  address: string
  /** The name of the page, such as its number. */
  name: string
  texts: { drawing: string; pageFailed: string; failed: { retry: string } }
  /** Reloads the addresses, because they expire. */
  onRetry: () => void
}

export function PagePicture({ address, name, texts, onRetry }: PictureProps) {
  const [state, setState] = useState<'drawing' | 'shown' | 'failed'>('drawing')
  if (state === 'failed') {
    return (
      <div className="page-picture error-state" role="alert">
        <p>{texts.pageFailed}</p>
        <Button kind="primary" onClick={onRetry}>
          {texts.failed.retry}
        </Button>
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
