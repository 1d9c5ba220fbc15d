import { useState } from 'react'
import { shareAddresses } from '../../rules/share.ts'
import { Button } from './Button.tsx'
import { useTexts } from './island.tsx'

/** Sends a page on, by the browser's own list of apps where it has one, else by two of them. */
export function ShareWays({ text, url }: { text: string; url: string }) {
  const texts = useTexts('share:ways')
  const [hasFailed, setFailed] = useState(false)
  const { whatsApp, telegram } = shareAddresses(text, url)
  if ('share' in navigator && !hasFailed) {
    const share = () =>
      navigator.share({ text, url }).catch((error: unknown) => {
        // Closing the browser's list is no error.
        if ((error as DOMException).name !== 'AbortError') setFailed(true)
      })
    return <Button onClick={share}>{texts.share}</Button>
  }
  return (
    <span className="cluster">
      <a className="button button--plain" href={whatsApp} target="_blank" rel="noreferrer">
        {texts.whatsApp}
      </a>
      <a className="button button--plain" href={telegram} target="_blank" rel="noreferrer">
        {texts.telegram}
      </a>
    </span>
  )
}
