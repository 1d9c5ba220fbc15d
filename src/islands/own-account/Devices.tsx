import '../parts/open-orders.css'
import { formatDate } from '../../i18n/dates.ts'
import { fillText } from '../../i18n/format.ts'
import { relativeText } from '../../i18n/relative.ts'
import type { Devices as Ends, LogIn } from '../../stores/shared/own-account.ts'
import { serverNow } from '../../stores/shared/server-clock.ts'
import { useLocale, useTexts } from '../parts/island.tsx'
import { Section } from '../parts/Section.tsx'
import { useChange } from '../parts/use-change.tsx'

interface Props {
  logIns: readonly LogIn[]
  devices: Ends
}

/** The devices that are logged in; ends one, or all but this one. */
export function Devices({ logIns, devices }: Props) {
  const texts = useTexts('own-account:page').devices
  const { isBusy, change, alert } = useChange()
  return (
    <Section name="devices" title={texts.title}>
      <p className="soft">{texts.text}</p>
      {alert}
      <ul className="open-orders">
        {logIns.map((logIn) => (
          <Device
            key={logIn.id}
            logIn={logIn}
            isBusy={isBusy}
            onEnd={() => change(() => devices.end(logIn.id), texts.ended)}
          />
        ))}
      </ul>
      {logIns.some(({ isThis }) => !isThis) && (
        <p>
          <button
            type="button"
            className="button"
            aria-busy={isBusy}
            onClick={() => change(devices.endOthers, texts.endedOthers)}
          >
            {texts.endOthers}
          </button>
        </p>
      )}
    </Section>
  )
}

interface DeviceProps {
  logIn: LogIn
  isBusy: boolean
  onEnd: () => void
}

function Device({ logIn, isBusy, onEnd }: DeviceProps) {
  const locale = useLocale()
  const texts = useTexts('own-account:page').devices
  const name = logIn.device || texts.unknown
  const seen = relativeText(locale, logIn.seenAt, serverNow(), texts.now)
  return (
    <li>
      <p className="cluster">
        <strong>
          <bdi>{name}</bdi>
        </strong>
        {logIn.isThis && <span className="badge badge--owned">{texts.this}</span>}
      </p>
      <p className="small soft">
        {fillText(texts.since, { date: `\u2068${formatDate(locale, logIn.begunAt)}\u2069`, seen })}
      </p>
      {logIn.isThis || (
        <button type="button" className="button" aria-busy={isBusy} onClick={onEnd}>
          {texts.end}
          <span className="visually-hidden"> {name}</span>
        </button>
      )}
    </li>
  )
}
