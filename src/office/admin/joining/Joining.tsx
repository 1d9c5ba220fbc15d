import './joining.css'
import { useState } from 'react'
import type { JoinRequestRow } from '../../../contract/office-joining.ts'
import * as joining from '../../../contract/office-joining.ts'
import { fillText, groupedNumber, isolate } from '../../../i18n/format.ts'
import { labelled } from '../../../i18n/listed.ts'
import { pathIn } from '../../../i18n/paths.ts'
import { Button } from '../../../islands/parts/Button.tsx'
import { useLocale } from '../../../islands/parts/island.tsx'
import { EmptyState } from '../../../islands/parts/States.tsx'
import { fullName } from '../../../rules/full-name.ts'
import { DELETION_DAYS } from '../../../rules/own-data.ts'
import { JOIN_REASON_MAX_LENGTH } from '../../../rules/roles.ts'
import { ask } from '../../kit/backend.ts'
import { ReasonForm } from '../../kit/forms/field-table.tsx'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { resource } from '../../kit/loader.ts'
import { adminTexts } from '../../kit/office-texts.ts'
import { Moment } from '../../kit/tables/cells.tsx'
import { useAction, useProblemText } from '../../kit/use-action.tsx'
import { MailNote } from '../notices/MailNote.tsx'

const joinRequests = resource(joining.listJoinRequests)

const { island, useTexts } = adminTexts('office-review:joining', 'office-notices:folder')

const OUTLINES = ['line', 'button', 'line', 'button'] as const

function Joining() {
  const texts = useTexts('office-review:joining')
  const { message, say } = useAction()
  return (
    <>
      {message}
      <MailNote />
      <LoadedStore from={joinRequests} texts={texts} shapes={OUTLINES}>
        {({ requests, total }) =>
          requests.length === 0 ? (
            <EmptyState {...texts.empty} />
          ) : (
            <>
              {total > requests.length && (
                <p className="soft">{fillText(texts.more, { shown: requests.length, total })}</p>
              )}
              <ol className="joining stack gap-5">
                {requests.map((request) => (
                  <Request key={request.id} request={request} onDone={say} />
                ))}
              </ol>
            </>
          )
        }
      </LoadedStore>
    </>
  )
}

interface RequestProps {
  request: JoinRequestRow
  /** Receives the message about the decision. */
  onDone: (text: string) => void
}

function Request({ request, onDone }: RequestProps) {
  const { id, userId, phone, email, subjects, message, confirmedAt, submitted } = request
  const locale = useLocale()
  const texts = useTexts('office-review:joining')
  const problemText = useProblemText()
  const [isRefusing, setRefusing] = useState(false)
  const { alert, attempt, isBusy } = useAction()
  const name = fullName(request)
  const params = { id }

  const act = (what: 'accepted' | 'refused', work: () => Promise<unknown>) =>
    attempt(
      async () => {
        onDone('')
        await work()
        onDone(fillText(texts.done[what], { name: isolate(name) }))
        await joinRequests.refresh()
      },
      async (refusal) => {
        if (refusal.code !== 'done_before') return
        // Another administrator has decided: the refreshed list lacks this request, so tell it above.
        onDone(problemText(refusal))
        await joinRequests.refresh()
      },
    )
  const facts = [
    [texts.subjects, <bdi key="subjects">{subjects}</bdi>],
    [
      texts.phone,
      <a key="phone" dir="ltr" href={`tel:+216${phone}`}>
        {phone}
      </a>,
    ],
    ...(email === null
      ? []
      : [
          [
            texts.email,
            <a key="email" dir="ltr" href={`mailto:${email}`}>
              {email}
            </a>,
          ] as const,
        ]),
    [texts.submitted, groupedNumber(locale, submitted)],
    [texts.language, texts.languages[request.locale]],
    [texts.since, <Moment key="since" at={confirmedAt} withTime />],
  ] as const
  return (
    <li className="joining__one stack gap-3">
      <h2 className="along" dir="auto">
        {name}
      </h2>
      <dl className="joining__facts stack gap-1">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {message && (
        <blockquote className="joining__message along as-written" dir="auto">
          {message}
        </blockquote>
      )}
      <p>
        {userId === null ? (
          texts.noAccount
        ) : (
          <a className="link" href={`${pathIn(locale, '/office/person')}?id=${userId}`}>
            {texts.accountLink}
          </a>
        )}
      </p>
      {alert}
      {isRefusing ? (
        <ReasonForm
          most={JOIN_REASON_MAX_LENGTH}
          hint={[
            fillText(texts.reasonHint, {
              language: texts.languages[request.locale],
              days: DELETION_DAYS,
            }),
            ...(email === null ? [texts.reasonByText] : []),
          ].join(' ')}
          texts={texts}
          isBusy={isBusy}
          onSend={(reason) =>
            act('refused', () => ask(joining.refuseJoinRequest, { params, body: { reason } }))
          }
          onCancel={() => setRefusing(false)}
        />
      ) : (
        <p className="joining__acts cluster items-stretch gap-3">
          <Button
            kind="primary"
            isBusy={isBusy}
            aria-label={labelled(locale, texts.accept, name)}
            onClick={() => act('accepted', () => ask(joining.acceptJoinRequest, { params }))}
          >
            {texts.accept}
          </Button>
          <Button
            aria-label={labelled(locale, texts.refuse, name)}
            onClick={() => setRefusing(true)}
          >
            {texts.refuse}
          </Button>
        </p>
      )}
    </li>
  )
}

export default island(Joining)
