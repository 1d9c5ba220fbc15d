import { useQuestions } from '../../kit/forms/questions.tsx'
import { useActorName } from '../../kit/office-texts.ts'
import { useAction } from '../../kit/use-action.tsx'
import './history.css'
import { useState } from 'react'
import type {
  SiteDifferences,
  SiteSubject,
  SiteVersion,
} from '../../../contract/office-site-versions.ts'
import * as versionCalls from '../../../contract/office-site-versions.ts'
import { fillText, isolate } from '../../../i18n/format.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { ask as call } from '../../kit/backend.ts'
import { momentText } from '../../kit/dates.ts'

interface Props {
  subject: SiteSubject
  /** The current revision. */
  revision: number
  /** Returns the label of a field by its path. */
  label: (field: string) => string
}

export function History({ subject, revision, label }: Props) {
  const actorName = useActorName()
  const locale = useLocale()
  const texts = useTexts('office-site:history')
  const [versions, setVersions] = useState<readonly SiteVersion[] | null>(null)
  const [hasMore, setMore] = useState(true)
  const { isBusy, alert, attempt } = useAction()
  const { ask, dialog } = useQuestions()

  const load = () =>
    attempt(async () => {
      const known = versions ?? []
      const query = { subject, page: Math.floor(known.length / PAGE) }
      const found = await call(versionCalls.listSiteVersions, { query })
      setVersions([...known, ...found.content])
      setMore(found.number + 1 < found.totalPages)
    })
  const restore = (to: number) =>
    ask({
      title: texts.ask,
      submit: texts.back,
      text: fillText(texts.sure, { version: to }),
      send: async () => {
        await call(versionCalls.restoreSiteVersion, { body: { subject, revision, to } })
        location.reload()
      },
    })
  const restoreButton = (to: number) =>
    to !== revision && (
      <Button kind="plain" onClick={() => restore(to)}>
        {texts.back}
      </Button>
    )
  return (
    <details className="site-history" onToggle={() => versions ?? load()}>
      <summary>{texts.show}</summary>
      {versions?.length === 0 && <p className="soft">{texts.none}</p>}
      <ol className="site-history__list stack">
        {versions?.map((version) => (
          <li key={version.revision}>
            <p>
              <strong>
                <bdi>{version.revision}</bdi>
              </strong>
              {' · '}
              {fillText(texts.by, {
                by: isolate(actorName(version.by)),
                at: momentText(locale, version.at),
              })}
              {version.restores !== null &&
                ` · ${fillText(texts.restores, { version: version.restores })}`}
              {version.revision === revision && (
                <>
                  {' '}
                  <span className="badge badge--quiet">{texts.now}</span>
                </>
              )}
            </p>
            <Changes subject={subject} revision={version.revision} label={label} />
            {restoreButton(version.revision)}
          </li>
        ))}
        {versions && versions.length > 0 && !hasMore && (
          <li>
            <p>{texts.first}</p>
            {restoreButton(0)}
          </li>
        )}
      </ol>
      {alert}
      {versions && versions.length > 0 && hasMore && (
        <Button isBusy={isBusy} onClick={load}>
          {texts.more}
        </Button>
      )}
      {dialog}
    </details>
  )
}

/** The page size of the call. */
const PAGE = 20

function Changes({ subject, revision, label }: Props) {
  const texts = useTexts('office-site:history')
  const [found, setFound] = useState<SiteDifferences | null>(null)
  const load = () => {
    const input = { params: { revision }, query: { subject } }
    if (!found) call(versionCalls.getSiteDifferences, input).then(setFound, () => setFound([]))
  }
  return (
    <details className="site-history__changes" onToggle={load}>
      <summary>{texts.what}</summary>
      <dl>
        {found?.map(({ field, parts }) => (
          <div key={field}>
            <dt className="soft small">{label(field)}</dt>
            <dd>
              <bdi>
                {parts.map((part, at) => {
                  const key = `${field}${at}`
                  if (part.kind === 'added') return <ins key={key}>{part.text}</ins>
                  if (part.kind === 'removed') return <del key={key}>{part.text}</del>
                  return <span key={key}>{part.text}</span>
                })}
              </bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
