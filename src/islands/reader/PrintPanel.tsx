import { useStore } from '@nanostores/react'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { fillText } from '../../i18n/format.ts'
import { plainSigns } from '../../rules/pasted-text.ts'
import { $printing, cancelPrinting, preparePages } from '../../stores/reader/printing.ts'
import { type BookPanelProps, Panel } from './Panels.tsx'
import { useTexts } from './texts.ts'

/** Prints pictures, since phones cannot print a PDF in a frame; not before all are loaded. */
export function PrintPanel({ reading, onClose }: BookPanelProps) {
  const texts = useTexts('reader:print')
  const printing = useStore($printing)
  const count = reading.sizes.length
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState(String(count))
  const [isInvalid, setIsInvalid] = useState(false)

  useEffect(() => cancelPrinting, [])

  const start = (event: FormEvent) => {
    event.preventDefault()
    const [first, last] = [from, to].map((input) => Number(plainSigns(input)))
    const isRange = isPage(first, count) && isPage(last, count) && first <= last
    setIsInvalid(!isRange)
    if (isRange) void preparePages(first, last)
  }
  return (
    <Panel title={texts.title} onClose={onClose}>
      <p className="soft">{texts.text}</p>
      <form className="stack" onSubmit={start}>
        <div className="reader__range">
          <PageField label={texts.from} value={from} onChange={setFrom} />
          <PageField label={texts.to} value={to} onChange={setTo} />
        </div>
        {isInvalid && (
          <p className="field__error" role="alert">
            {fillText(texts.wrong, { count })}
          </p>
        )}
        {printing.phase === 'loading' ? (
          // Has its own key: if React reused the submit button, the click would submit the form.
          <button key="cancel" type="button" className="button" onClick={cancelPrinting}>
            {texts.cancel}
          </button>
        ) : (
          <button key="start" type="submit" className="button button--primary">
            {texts.start}
          </button>
        )}
      </form>
      <div role="status">
        {printing.phase === 'loading' && (
          <>
            <p>{fillText(texts.loading, { done: printing.done, of: printing.of })}</p>
            <progress max={printing.of} value={printing.done} aria-label={texts.title} />
          </>
        )}
        {printing.phase === 'failed' && <p className="alert alert--error">{texts.failed}</p>}
        {printing.phase === 'ready' && <p>{texts.ready}</p>}
      </div>
      {printing.phase === 'ready' && <Sheets urls={printing.urls} text={texts.open} />}
    </Panel>
  )
}

const isPage = (page: number | undefined, count: number): page is number =>
  Number.isInteger(page) && Number(page) >= 1 && Number(page) <= count

interface FieldProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function PageField({ label, value, onChange }: FieldProps) {
  const id = useId()
  return (
    <p>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        type="text"
        inputMode="numeric"
        autoComplete="off"
        size={4}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </p>
  )
}

function Sheets({ urls, text }: { urls: readonly string[]; text: string }) {
  const [isDecoded, setIsDecoded] = useState(false)
  useEffect(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('.reader-sheets img')]
    let isUnmounted = false
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (isUnmounted) return
      setIsDecoded(true)
      print()
    })
    return () => {
      isUnmounted = true
    }
  }, [])
  return (
    <>
      {/* Browsers on phones open the print dialog only after a touch. */}
      <button type="button" className="button" disabled={!isDecoded} onClick={() => print()}>
        {text}
      </button>
      {createPortal(
        <div className="reader-sheets" aria-hidden="true">
          {urls.map((url) => (
            <img key={url} src={url} alt="" />
          ))}
        </div>,
        document.body,
      )}
    </>
  )
}
