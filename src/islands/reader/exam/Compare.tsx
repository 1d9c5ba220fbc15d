import { useEffect, useRef, useState } from 'react'
import { fillText } from '../../../i18n/format.ts'
import { dirOf } from '../../../i18n/locales.ts'
import type { Exam } from '../../../rules/exam.ts'
import { type Passage, passagesOf } from '../../../rules/page-passages.ts'
import { lineOf, pictureWidth, sharpnessOf } from '../../../rules/reader.ts'
import { PAGE_WIDTHS } from '../../../rules/reading.ts'
import { fetchPage, fetchPageText } from '../../../stores/reader/pictures.ts'
import type { Reading } from '../../../stores/reader/reader.ts'
import { leaveExam } from '../../../stores/reader/sit-exam.ts'
import { Button, ButtonLink } from '../../parts/Button.tsx'
import { BackLink } from '../Bars.tsx'
import { useTexts } from '../texts.ts'
import { MarkPanel } from './MarkPanel.tsx'

interface Props {
  reading: Reading
  isKept: boolean
  exam: Exam
}

/** Where the pages of a pane come from: `fetchPage` for the open document. */
interface Source {
  sizes: Reading['sizes']
  /** The first and the last page that it shows. */
  from: number
  to: number
  picture: typeof fetchPage
  /** null: its pages have no text, or none that is kept. */
  text: typeof fetchPageText | null
}

/** After an exam: the paper and its correction, beside each other or, on phones, one over the other. */
export function Compare({ reading, isKept, exam }: Props) {
  const texts = useTexts('reader:exam')
  const [isGiving, setGiving] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { sizes, title, hasText, sample } = reading
  const opened = { sizes, picture: fetchPage, text: hasText && !isKept ? fetchPageText : null }
  // A new version of the document may have fewer pages.
  const paper: Source = { ...opened, from: 1, to: Math.min(exam.pages, sizes.length) }
  // The one place that says where the correction is: a document of its own would be another source.
  const correction: Source | null =
    exam.pages < sizes.length ? { ...opened, from: exam.pages + 1, to: sizes.length } : null
  return (
    <div className="reader">
      <header className="reader__bar reader__bar--top">
        <BackLink reading={reading} />
        <h1 className="reader__title one-line" dir="auto" ref={heading} tabIndex={-1}>
          {title}
        </h1>
      </header>
      <main id="main" className="exam-panes">
        <p className="visually-hidden" role="status">
          {correction ? texts.over : texts.overAlone}
        </p>
        <Pane name={texts.paper} source={paper} />
        {correction && <Pane name={texts.correction} source={correction} />}
        {sample && (
          <section className="exam-pane stack" aria-label={texts.correction}>
            <p>{texts[`sample_${sample}`]}</p>
            <p>
              <ButtonLink to={`/shop-details/${reading.documentId}`} target="_top">
                {texts.seePaper}
              </ButtonLink>
            </p>
          </section>
        )}
      </main>
      <footer className="reader__bar reader__bar--foot">
        <Button kind="primary" onClick={() => setGiving(true)}>
          {texts.give}
        </Button>
        <Button onClick={leaveExam}>{texts.leave}</Button>
      </footer>
      {isGiving && <MarkPanel reading={reading} exam={exam} onClose={() => setGiving(false)} />}
    </div>
  )
}

function Pane({ name, source }: { name: string; source: Source }) {
  const { from, to } = source
  const pages = Array.from({ length: to - from + 1 }, (_, at) => from + at)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll it
    <section className="exam-pane" aria-label={name} tabIndex={0}>
      <h2 className="small soft">{name}</h2>
      {pages.map((page) => (
        <Sheet key={page} page={page} source={source} />
      ))}
    </section>
  )
}

/** How far outside its pane a page is loaded. */
const AHEAD = '100%'

type Shown = { url: string; passages: readonly Passage[] } | 'failed' | null

function Sheet({ page, source }: { page: number; source: Source }) {
  const texts = useTexts('reader:page')
  const sheet = useRef<HTMLDivElement>(null)
  const [shown, setShown] = useState<Shown>(null)
  const [tries, setTries] = useState(0)
  const { sizes, picture, text } = source
  const shape = sizes[page - 1]

  // biome-ignore lint/correctness/useExhaustiveDependencies: a source is made anew each time, with the same functions
  useEffect(() => {
    const element = sheet.current
    if (!element) return
    element.style.setProperty('--shape', shape ? `${shape.width} / ${shape.height}` : '')
    const ending = new AbortController()
    const { signal } = ending
    let url = ''
    const load = async () => {
      const { settled } = sharpnessOf(devicePixelRatio, lineOf(navigator))
      const width = pictureWidth(element.clientWidth, settled, PAGE_WIDTHS)
      url = URL.createObjectURL(await picture({ page, width }, signal))
      if (signal.aborted) return URL.revokeObjectURL(url)
      setShown({ url, passages: [] })
      const passages = text ? passagesOf(await text(page, signal).catch(() => '')) : []
      if (!signal.aborted) setShown({ url, passages })
    }
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (!entry?.isIntersecting) return
        observer.disconnect()
        load().catch(() => signal.aborted || setShown('failed'))
      },
      { root: element.closest('.exam-pane'), rootMargin: AHEAD },
    )
    observer.observe(element)
    return () => {
      observer.disconnect()
      ending.abort()
      URL.revokeObjectURL(url)
    }
  }, [page, tries])

  return (
    <div className="exam-sheet" ref={sheet} data-page={page}>
      {shown === 'failed' ? (
        <div className="reader__missing" role="alert">
          <p>{texts.pageFailed}</p>
          <Button
            onClick={() => {
              setShown(null)
              setTries(tries + 1)
            }}
          >
            {texts.retry}
          </Button>
        </div>
      ) : shown ? (
        <>
          <img src={shown.url} alt={fillText(texts.page, { page, count: sizes.length })} />
          <div className="visually-hidden">
            {shown.passages.map((passage, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: passages never change places
              <p key={at} lang={passage.language} dir={dirOf(passage.language)}>
                {passage.text}
              </p>
            ))}
          </div>
        </>
      ) : (
        <p className="reader__coming">
          <span aria-hidden="true">{page}</span>
          <span className="visually-hidden">{fillText(texts.pageLoading, { page })}</span>
        </p>
      )}
    </div>
  )
}
