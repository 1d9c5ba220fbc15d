import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Next, ReviewPage } from '../../../contract/office-review.ts'
import type { OwnDocument } from '../../../contract/own-document.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { labelled, listed } from '../../../i18n/listed.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { relativeText } from '../../../i18n/relative.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { Later } from '../../../islands/parts/Later.tsx'
import { Price, PriceOrFree } from '../../../islands/parts/Price.tsx'
import { type Detail, type DocumentField, FIELD_NAMES } from '../../../rules/document-fields.ts'
import { REVIEW_REASON_MAX_LENGTH } from '../../../rules/document-life.ts'
import { useNames } from '../../documents/names.ts'
import { ReasonForm } from '../../kit/forms/field-table.tsx'
import { StateMark } from '../../kit/tables/cells.tsx'
import { useAction } from '../../kit/use-action.tsx'
import { type Decision, decide, review as shownReview } from './document.ts'
import { PaperLink } from './PaperLink.tsx'
import { useTexts } from './texts.ts'

interface DocumentProps {
  review: ReviewPage
  /** Whether the page shows this document after a decision about another one. */
  isNext: boolean
  onDecided: (what: 'accepted' | 'returned', title: string, next: Next) => void
}

export function Document({ review, isNext, onDecided }: DocumentProps) {
  const { document, what } = review
  const texts = useTexts('office-review:page')
  const [subject, setSubject] = useState<Subject | null>(null)
  const { alert, attempt, isBusy } = useAction()

  const act = (decision: Decision) =>
    attempt(
      async () => {
        const next = await decide(review, decision)
        onDecided(decision === 'accept' ? 'accepted' : 'returned', document.title, next)
      },
      ({ status }) => {
        // The document has changed, or another administrator has decided: show its current state.
        if (status === 409) void shownReview.refresh()
      },
    )
  const form = (about: Subject) =>
    subject === about &&
    what !== null && (
      <ReturnForm
        subject={about}
        isBusy={isBusy}
        alert={alert}
        onSend={(reason) => act({ reason, field: about === 'whole' ? null : about })}
        onCancel={() => setSubject(null)}
      />
    )
  return (
    <article className="review stack gap-6">
      {what === null && alert}
      <Heading review={review} isNext={isNext} />
      {review.paper ? (
        <div className="review-sides review-sides--pair stack gap-6">
          <LaterFiles review={review} />
          <LaterPaper paper={review.paper} />
        </div>
      ) : (
        <LaterFiles review={review} />
      )}
      <div className="beside gap-8">
        <div className="review__said stack gap-6">
          <Facts review={review} {...(what !== null && { onNote: setSubject })} form={form} />
          <Checks review={review} />
        </div>
        <LaterPreview document={document} />
      </div>
      <LaterAlike review={review} />
      <LaterHistory review={review} />
      {what !== null && (
        <div className="review__foot stack gap-3">
          {form('whole')}
          {subject === null && alert}
          <div className="review__acts cluster items-stretch gap-3">
            <Button kind="primary" isBusy={isBusy} onClick={() => act('accept')}>
              {texts.accept[what]}
            </Button>
            <Button
              aria-expanded={subject === 'whole'}
              onClick={() => setSubject(subject === 'whole' ? null : 'whole')}
            >
              {texts.back}
            </Button>
          </div>
        </div>
      )}
    </article>
  )
}

interface HeadingProps {
  review: ReviewPage
  isNext: boolean
}

function Heading({ review: { document, what, since }, isNext }: HeadingProps) {
  const locale = useLocale()
  const texts = useTexts('office-review:page')
  const title = useRef<HTMLHeadingElement>(null)
  // Moves screen readers to the title of the next document.
  useEffect(() => {
    if (isNext) title.current?.focus({ preventScroll: true })
  }, [isNext])
  return (
    <header className="review__head stack gap-1">
      <h2 ref={title} tabIndex={-1} dir="auto" className="along">
        {document.title}
      </h2>
      <p className="soft">
        {what ? texts.waits[what] : texts.decided}
        <span>
          {' · '}
          {fillText(texts.by, { teacher: isolate(document.teacher.name) })}
          {since &&
            ` · ${fillText(texts.since, { when: relativeText(locale, since, Date.now(), texts.now) })}`}
        </span>
      </p>
      {what === null && (
        <p>
          <ButtonLink to="/office/review">{texts.next}</ButtonLink>
        </p>
      )}
    </header>
  )
}

function Checks({ review: { document, sameFile } }: { review: ReviewPage }) {
  const locale = useLocale()
  const texts = useTexts('office-review:page')
  const fields = useTexts('office-documents:fields')
  const missing = listed(
    locale,
    document.missing.map(({ field }) => fields[field]),
  )
  return (
    <section className="stack">
      <h3>{texts.checks}</h3>
      <ul className="review__checks stack gap-2">
        {document.fileType !== null && (
          <li>
            <StateMark kind="good" text={texts.file} />
          </li>
        )}
        <li>
          <StateMark
            kind={missing ? 'bad' : 'good'}
            text={missing ? fillText(texts.missing, { fields: missing }) : texts.complete}
          />
        </li>
        {sameFile.map(({ id, title, teacher }) => (
          <li key={id}>
            <a href={`${pathIn(locale, '/office/review-document')}?id=${id}`}>
              <StateMark
                kind="bad"
                text={fillText(texts.same, {
                  title: isolate(title),
                  teacher: isolate(teacher),
                })}
              />
            </a>
          </li>
        ))}
        {sameFile.length === 0 && document.fileType !== null && (
          <li>
            <StateMark kind="good" text={texts.alone} />
          </li>
        )}
      </ul>
    </section>
  )
}

interface FactsProps {
  review: ReviewPage
  /** Opens the reason form for a field; undefined if no decision is pending. */
  onNote?: (field: DocumentField) => void
  /** Renders the reason form if it is open for this field. */
  form: (subject: Subject) => ReactNode
}

function Facts({ review, onNote, form }: FactsProps) {
  const texts = useTexts('office-review:page')
  const fields = useTexts('office-documents:fields')
  const values = useValues(review)
  return (
    <section className="stack">
      <h3>{texts.says}</h3>
      <dl className="review__facts">
        {FIELD_NAMES.map((field) => (
          <div key={field}>
            <dt>{fields[field]}</dt>
            <dd>{values[field] ?? <span className="soft">{texts.nothing}</span>}</dd>
            {onNote && (
              <dd className="review__note">
                <Button
                  kind="plain"
                  aria-label={fillText(texts.noteFor, { field: fields[field] })}
                  onClick={() => onNote(field)}
                >
                  {texts.note}
                </Button>
              </dd>
            )}
            {form(field) && <dd className="review__form">{form(field)}</dd>}
          </div>
        ))}
      </dl>
    </section>
  )
}

function useValues({ document, paper }: ReviewPage): Readonly<Record<DocumentField, ReactNode>> {
  const locale = useLocale()
  const texts = useTexts('office-review:page')
  const preview = useTexts('office-documents:preview')
  const { free } = useTexts('common:price')
  const names = useNames()
  const { title, description, price, priceDiscount, matiere, classe, categorie, type } = document
  const textOrNothing = (text: string) =>
    text && (
      <span className="as-written" dir="auto">
        {text}
      </span>
    )
  return {
    title: textOrNothing(title) || null,
    description: textOrNothing(description) || null,
    price: price === null ? null : <PriceOrFree amount={price} free={free} />,
    priceDiscount: priceDiscount === null ? null : <Price amount={priceDiscount} />,
    matiere: matiere && names.matiere(matiere),
    classe: classe && names.schoolClass(classe),
    categorie: categorie && names.category(categorie),
    type: type && names.audience(type),
    chapters: document.chapters.map(names.chapter).join(' · ') || null,
    ...(Object.fromEntries(names.details(document)) as Record<Detail, string | undefined>),
    correctionOf: paper && <PaperLink paper={paper} />,
    file: document.pageCount === null ? null : labelled(locale, preview.pages, document.pageCount),
    cover: document.coverPath ? texts.picture : texts.drawn,
  }
}

interface ReturnFormProps {
  subject: Subject
  isBusy: boolean
  alert: ReactNode
  onSend: (reason: string) => void
  onCancel: () => void
}

function ReturnForm({ subject, alert, ...formProps }: ReturnFormProps) {
  const texts = useTexts('office-review:page')
  return (
    <div className="review__return">
      <ReasonForm
        {...formProps}
        most={REVIEW_REASON_MAX_LENGTH}
        texts={texts}
        {...(subject !== 'whole' && { hint: texts.reasonHint })}
      />
      {alert}
    </div>
  )
}

/** The subject of a reason: a field, or the whole document. */
type Subject = DocumentField | 'whole'

// Loaded after the first paint, because on a phone these parts are below the title.
const loadFiles = async () => (await import('./Files.tsx')).Files
const loadPaper = async () => (await import('./Paper.tsx')).Paper
const loadAlike = async () => (await import('./Alike.tsx')).Alike
const loadPreview = async () => (await import('../../documents/Preview.tsx')).DocumentPreview
const loadHistory = async () => (await import('./History.tsx')).History

function useLaterTexts() {
  const { loading, failed } = useTexts('office-review:page')
  return { loading: { text: loading, shapes: ['line', 'cover', 'line'] as const }, failed }
}

function LaterFiles(props: { review: ReviewPage }) {
  return <Later load={loadFiles} give={props} {...useLaterTexts()} />
}

function LaterPaper(props: { paper: NonNullable<ReviewPage['paper']> }) {
  return <Later load={loadPaper} give={props} {...useLaterTexts()} />
}

function LaterAlike(props: { review: ReviewPage }) {
  return <Later load={loadAlike} give={props} {...useLaterTexts()} />
}

function LaterPreview(props: { document: OwnDocument }) {
  return <Later load={loadPreview} give={props} {...useLaterTexts()} />
}

function LaterHistory(props: { review: ReviewPage }) {
  return <Later load={loadHistory} give={props} {...useLaterTexts()} />
}
