import './sample.css'
import { type FormEvent, useState } from 'react'
import * as officeDocuments from '../../../contract/office-documents.ts'
import { setSamplePages } from '../../../contract/office-samples.ts'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import {
  pagesOfPaper,
  readPages,
  samplePagesMax,
  samplePagesOf,
  sampleProblem,
  TYPED_PAGES,
} from '../../../rules/reading.ts'
import { PREVIEW_MAX_PAGES } from '../../../rules/uploads.ts'
import { logOnly, Refusal } from '../../../stores/shared/problem.ts'
import { ask } from '../../kit/backend.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { idInAddress, resourceBy } from '../../kit/loader.ts'
import { officeTexts } from '../../kit/office-texts.ts'
import { useAction } from '../../kit/use-action.tsx'
import { readPage } from '../documents/own.ts'

interface OwnSample {
  documentId: number
  title: string
  /** The number of pages in the file; `shown` counts those with a picture. */
  pages: number
  shown: number
  /** The chosen sample pages; null for the first pages. */
  chosen: readonly number[] | null
  version: number
  /** Returns the URL of a page's picture (pages count from 1); it expires after some minutes. */
  picture: (page: number) => string
}

const ownSample = resourceBy('sample', async (): Promise<OwnSample> => {
  const id = idInAddress()
  if (id === null) throw new Refusal('document_not_found', 404)
  const { document, versions } = await readPage(id)
  const { samplePages, title, correctionPage } = document
  const pageCount = pagesOfPaper(document.pageCount ?? 0, correctionPage)
  if (!pageCount) throw new Refusal('file_missing', 404)
  // The sample belongs to the file that buyers get, not to a newer one under review.
  const version =
    versions.find(({ state, size }) => size !== null && state === 'accepted') ??
    versions.find(({ size }) => size !== null)
  if (!version) throw new Refusal('file_missing', 404)
  return {
    documentId: id,
    title,
    pages: pageCount,
    shown: Math.min(pageCount, PREVIEW_MAX_PAGES),
    chosen: samplePages,
    version: version.number,
    picture: await readPictures(id, version.number),
  }
})

async function readPictures(id: number, version: number): Promise<OwnSample['picture']> {
  const path = await ask(officeDocuments.previewOwnFile, { params: { id }, query: { version } })
  const address = `/api/${String(path).replace(/^[/\\]+/, '')}`
  return (page) => `${address}/${page}-480.webp`
}

let renewing: Promise<void> | null = null

/**
 * A new URL of a page's picture after the URL `failed` could not be loaded; it may have expired.
 */
async function renewPicture(page: number, failed: string): Promise<string> {
  if (ownSample.value()?.picture(page) === failed) {
    renewing ??= renewPictures().finally(() => {
      renewing = null
    })
    await renewing
  }
  return ownSample.value()?.picture(page) ?? failed
}

async function renewPictures(): Promise<void> {
  const before = ownSample.value()
  if (!before) return
  const picture = await readPictures(before.documentId, before.version)
  const sample = ownSample.value()
  if (sample) ownSample.show({ ...sample, picture })
}

/** Saves the chosen sample pages; null for the first pages. */
async function saveSample(documentId: number, pages: readonly number[] | null) {
  const input = { params: { id: documentId }, body: { pages: pages && [...pages] } }
  const { samplePages } = await ask(setSamplePages, input)
  const sample = ownSample.value()
  if (sample) ownSample.show({ ...sample, chosen: samplePages })
}

const { island, useTexts } = officeTexts('office-sample:page')

/** Isolated from left to right in every language. */
const EXAMPLE = `\u2066${TYPED_PAGES}\u2069`

function Sample() {
  const texts = useTexts('office-sample:page')
  return (
    <LoadedStore from={ownSample} texts={texts} shapes={['line', 'cover', 'line']}>
      {(value) => <Choice sample={value} />}
    </LoadedStore>
  )
}

function Choice({ sample }: { sample: OwnSample }) {
  const { documentId, title, pages, shown, chosen } = sample
  const locale = useLocale()
  const texts = useTexts('office-sample:page')
  const [input, setInput] = useState(() => samplePagesOf(chosen, pages).join(', '))
  const { isBusy, message, attempt, say } = useAction()
  const most = samplePagesMax(pages)
  const pageNumbers = readPages(input)
  const checkedPages = new Set(pageNumbers)
  const mistake = pageNumbers ? sampleProblem(pageNumbers, pages) : 'unreadable'
  const sentence = {
    unreadable: fillText(texts.wrong.unreadable, { example: EXAMPLE }),
    unknown: fillText(texts.wrong.unknown, { count: pages }),
    repeated: texts.wrong.repeated,
    'too many': pluralText(locale, texts.wrong, 'tooMany', most),
  }
  const changeInput = (text: string) => {
    setInput(text)
    say('')
  }
  const toggle = (page: number) => {
    const others = [...checkedPages].filter((each) => each !== page)
    const next = checkedPages.has(page) ? others : [...others, page]
    changeInput(next.toSorted((a, b) => a - b).join(', '))
  }
  const save = (choice: readonly number[] | null) =>
    attempt(async () => {
      await saveSample(documentId, choice)
      // Keeps input that was typed during the call.
      setInput((now) => (now === input ? samplePagesOf(choice, pages).join(', ') : now))
      return texts.saved
    })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (pageNumbers && !mistake) void save(pageNumbers)
  }
  return (
    <form className="sample stack" onSubmit={submit}>
      <p>
        <a href={`${pathIn(locale, '/office/document')}?id=${documentId}`}>
          <bdi>{title || texts.back}</bdi>
        </a>
      </p>
      <p className="measure">{pluralText(locale, texts.rule, 'pages', most)}</p>
      <div className="sample__bar stack gap-3">
        <Field
          name="pages"
          label={texts.pages}
          hint={fillText(texts.hint, { example: EXAMPLE })}
          error={mistake ? sentence[mistake] : undefined}
          value={input}
          onChange={({ target }) => changeInput(target.value)}
          dir="ltr"
          inputMode="text"
          autoComplete="off"
        />
        <div className="cluster">
          <Button type="submit" kind="primary" isBusy={isBusy} disabled={mistake !== null}>
            {texts.save}
          </Button>
          <Button onClick={() => save(null)}>{texts.first}</Button>
        </div>
        {message}
      </div>
      <fieldset className="sample__pages">
        <legend className="visually-hidden">{texts.pages}</legend>
        {Array.from({ length: shown }, (_, at) => at + 1).map((page) => (
          <label key={page} className="sample__page stack items-center gap-2">
            <input type="checkbox" checked={checkedPages.has(page)} onChange={() => toggle(page)} />
            <Picture page={page} address={sample.picture(page)} />
            <span>{fillText(texts.page, { page })}</span>
          </label>
        ))}
      </fieldset>
    </form>
  )
}

/** The picture of a page, whose link is renewed once if it has expired. */
function Picture({ page, address }: { page: number; address: string }) {
  const [shown, setShown] = useState(address)
  const [isRenewed, setRenewed] = useState(false)
  const renew = () => {
    if (isRenewed) return
    setRenewed(true)
    renewPicture(page, shown).then(setShown, logOnly('sample pictures'))
  }
  return (
    <img
      src={shown}
      alt=""
      width={480}
      height={679}
      loading="lazy"
      decoding="async"
      onLoad={() => setRenewed(false)}
      onError={renew}
    />
  )
}

export default island(Sample)
