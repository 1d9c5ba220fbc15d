import './print.css'
import { useStore } from '@nanostores/react'
import { type FormEvent, useEffect, useId, useState } from 'react'
import { createPortal } from 'react-dom'
import { fillText } from '../../i18n/format.ts'
import { latinDigits } from '../../rules/digits.ts'
import { $printing, cancelPrinting, preparePages } from '../../stores/reader/printing.ts'
import type { Reading } from '../../stores/reader/reader.ts'
import { Panel } from './Panel.tsx'
import { useTexts } from './texts.ts'

interface Props {
  reading: Reading
  onClose: () => void
}

/**
 * Prints pages as pictures, which phones can: a PDF in a frame they cannot print. All pictures are there
 * before the browser's window opens, or it would print empty sheets.
 */
export function PrintPanel({ reading, onClose }: Props) {
  const texts = useTexts('reader:print')
  const printing = useStore($printing)
  const count = reading.sizes.length
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState(String(count))
  const [isWrong, setIsWrong] = useState(false)

  useEffect(() => cancelPrinting, [])

  const start = (event: FormEvent) => {
    event.preventDefault()
    const [first, last] = [from, to].map((typed) => Number(latinDigits(typed).trim()))
    const isRange = isPage(first, count) && isPage(last, count) && first <= last
    setIsWrong(!isRange)
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
        {isWrong && (
          <p className="field__error" role="alert">
            {fillText(texts.wrong, { count })}
          </p>
        )}
        {printing.phase === 'loading' ? (
          // Of the same element the click that cancels would send the form again.
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

/** The pages as the printer gets them, one a sheet. */
function Sheets({ urls, text }: { urls: readonly string[]; text: string }) {
  const [isDrawn, setIsDrawn] = useState(false)
  useEffect(() => {
    const pictures = [...document.querySelectorAll<HTMLImageElement>('.reader-sheets img')]
    let isOver = false
    void Promise.allSettled(pictures.map((picture) => picture.decode())).then(() => {
      if (isOver) return
      setIsDrawn(true)
      print()
    })
    return () => {
      isOver = true
    }
  }, [])
  return (
    <>
      {/* Browsers on phones open the window only when it is asked for by a touch. */}
      <button type="button" className="button" disabled={!isDrawn} onClick={() => print()}>
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
