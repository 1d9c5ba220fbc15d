import { useEffect, useRef, useState } from 'react'
import { useTexts } from '../../parts/island.tsx'

interface Props {
  codes: readonly string[]
  onKept: () => void
}

/** New recovery codes, shown only once; the user can copy them, or print them without the page. */
export function RecoveryCodes({ codes, onKept }: Props) {
  const texts = useTexts('office-access:security')
  const heading = useRef<HTMLHeadingElement>(null)
  const [isCopied, setCopied] = useState(false)

  useEffect(() => heading.current?.focus(), [])

  const copy = async () => {
    try {
      await navigator.clipboard.writeText(codes.join('\n'))
      setCopied(true)
    } catch {
      // The browser forbids copying, but the user can still select or print the codes.
    }
  }
  return (
    <div className="security__codes stack">
      <h3 ref={heading} tabIndex={-1}>
        {texts.codes}
      </h3>
      <p className="soft">{texts.codesText}</p>
      <ol className="security__list" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="cluster no-print">
        <button type="button" className="button" onClick={copy}>
          <span role="status">{isCopied ? texts.copied : texts.copy}</span>
        </button>
        <button type="button" className="button" onClick={() => print()}>
          {texts.print}
        </button>
        <button type="button" className="button button--primary" onClick={onKept}>
          {texts.saved}
        </button>
      </div>
    </div>
  )
}
