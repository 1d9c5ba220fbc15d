import './import.css'
import type { Import as Last } from '../../../contract/office-imports.ts'
import { fillText } from '../../../i18n/format.ts'
import { useLocale } from '../../../islands/parts/island.tsx'
import { ErrorAlert, Message } from '../../../islands/parts/Message.tsx'
import { IMPORT_FACTS } from '../../../rules/imports.ts'
import { Button } from '../../kit/Button.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { useAction, useProblemText } from '../../kit/use-action.tsx'
import { $import, downloadTemplate, giveUpImport, loadImport } from './import.ts'
import { Done, Ready } from './Outcome.tsx'
import { PackageField } from './PackageField.tsx'
import { Problems, Sentence } from './Problems.tsx'
import { Progress } from './Progress.tsx'
import { island, useTexts } from './texts.ts'

const OUTLINES = ['line', 'line', 'button'] as const

function Import() {
  const texts = useTexts('office-import:page')
  return (
    <LoadedStore store={$import} load={loadImport} texts={texts} shapes={OUTLINES}>
      {(value) => (
        <div className="import">
          <Standing last={value} />
        </div>
      )}
    </LoadedStore>
  )
}

function Standing({ last }: { last: Last | null }) {
  const texts = useTexts('office-import:broken')
  switch (last?.phase) {
    case 'checking':
    case 'importing':
      return <Progress last={last} />
    case 'ready':
      return <Ready last={last} />
    case 'refused':
      return (
        <>
          <Problems last={last} />
          <Choose last={last} />
        </>
      )
    case 'done':
      return (
        <>
          <Done last={last} />
          <Choose last={null} />
        </>
      )
    case 'failed':
      return (
        <>
          <Message kind="error">
            <strong>{texts.title}.</strong>{' '}
            {last.problems[0] ? <Sentence problem={last.problems[0]} /> : texts.text}
          </Message>
          <Choose last={null} />
        </>
      )
    default:
      return <Choose last={null} />
  }
}

function Choose({ last }: { last: Last | null }) {
  const steps = useTexts('office-import:steps')
  const texts = useTexts('office-import:choose')
  return (
    <>
      {!last && (
        <section className="stack">
          <h2>{steps.title}</h2>
          <ol className="import__steps">
            <li>
              {fillText(steps.template, IMPORT_FACTS)} <Template />
            </li>
            <li>{steps.files}</li>
            <li>{steps.check}</li>
            <li>{steps.drafts}</li>
          </ol>
        </section>
      )}
      <section className="stack">
        <h2>{last ? texts.again : texts.title}</h2>
        <PackageField isAgain={last !== null} />
        {last && <StartOver id={last.id} />}
      </section>
    </>
  )
}

function Template() {
  const locale = useLocale()
  const texts = useTexts('office-import:download')
  const problemText = useProblemText()
  const { attempt, problem } = useAction()
  return (
    <>
      <Button className="import__template" onClick={() => attempt(() => downloadTemplate(locale))}>
        {texts.button}
      </Button>
      {problem && <ErrorAlert text={`${texts.failed} ${problemText(problem)}`} />}
    </>
  )
}

function StartOver({ id }: { id: string }) {
  const texts = useTexts('office-import:choose')
  const { alert, attempt } = useAction()
  return (
    <div>
      <Button kind="plain" onClick={() => attempt(() => giveUpImport(id))}>
        {texts.anew}
      </Button>
      {alert}
    </div>
  )
}

export default island(Import)
