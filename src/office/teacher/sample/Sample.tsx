import './sample.css'
import { type FormEvent, useState } from 'react'
import { fillText, pluralText } from '../../../i18n/format.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Field } from '../../../islands/parts/Field.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorAlert } from '../../../islands/parts/Message.tsx'
import {
  readPages,
  samplePagesMax,
  samplePagesOf,
  sampleProblem,
  TYPED_PAGES,
} from '../../../rules/reading.ts'
import { logOnly, type Problem, problemOf } from '../../../stores/shared/problem.ts'
import { Button } from '../../kit/Button.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { useProblemText } from '../../kit/use-action.tsx'
import { $sample, loadSample, type OwnSample, renewPicture, saveSample } from './sample.ts'

const { island, useTexts } = officeTexts('office-sample:page')

/** Isolated from left to right in every language. */
const EXAMPLE = `\u2066${TYPED_PAGES}\u2069`

function Sample() {
  const texts = useTexts('office-sample:page')
  return (
    <LoadedStore store={$sample} load={loadSample} texts={texts} shapes={['line', 'cover', 'line']}>
      {(value) => <Choice sample={value} />}
    </LoadedStore>
  )
}

function Choice({ sample }: { sample: OwnSample }) {
  const { documentId, title, pages, shown, chosen } = sample
  const locale = useLocale()
  const texts = useTexts('office-sample:page')
  const problemText = useProblemText()
  const [input, setInput] = useState(() => samplePagesOf(chosen, pages).join(', '))
  const [state, setState] = useState<'open' | 'saving' | 'saved' | Problem>('open')
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
    setState('open')
  }
  const toggle = (page: number) => {
    const others = [...checkedPages].filter((each) => each !== page)
    const next = checkedPages.has(page) ? others : [...others, page]
    changeInput(next.toSorted((a, b) => a - b).join(', '))
  }
  const save = async (choice: readonly number[] | null) => {
    setState('saving')
    try {
      await saveSample(documentId, choice)
      // Keeps input that was typed during the call.
      setInput((now) => (now === input ? samplePagesOf(choice, pages).join(', ') : now))
      setState((now) => (now === 'saving' ? 'saved' : now))
    } catch (error) {
      setState(problemOf(error))
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (pageNumbers && !mistake) void save(pageNumbers)
  }
  return (
    <form className="sample" onSubmit={submit}>
      <p>
        <a href={`${pathIn(locale, '/office/document')}?id=${documentId}`}>
          <bdi>{title || texts.back}</bdi>
        </a>
      </p>
      <p className="measure">{pluralText(locale, texts.rule, 'pages', most)}</p>
      <div className="sample__bar">
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
          <Button
            type="submit"
            kind="primary"
            isBusy={state === 'saving'}
            disabled={mistake !== null}
          >
            {texts.save}
          </Button>
          <Button onClick={() => save(null)}>{texts.first}</Button>
        </div>
        <p role="status" className="soft">
          {state === 'saved' && texts.saved}
        </p>
        {typeof state === 'object' && <ErrorAlert text={problemText(state)} />}
      </div>
      <fieldset className="sample__pages">
        <legend className="visually-hidden">{texts.pages}</legend>
        {Array.from({ length: shown }, (_, at) => at + 1).map((page) => (
          <label key={page} className="sample__page">
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
