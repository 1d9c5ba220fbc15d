import { fillText } from '../../i18n/format.ts'
import { relativeText } from '../../i18n/relative.ts'
import type { Devices as Ends, LogIn } from '../../stores/shared/own-account.ts'
import { serverNow } from '../../stores/shared/server-clock.ts'
import { Button } from '../parts/Button.tsx'
import { useLocale, useTexts } from '../parts/island.tsx'
import { Section } from '../parts/Section.tsx'
import { useChange } from '../parts/use-change.tsx'

/** The devices that are logged in; ends one, or all but this one. */
export function Devices({ logIns, devices }: { logIns: readonly LogIn[]; devices: Ends }) {
  const texts = useTexts('own-account:page').devices
  const { isBusy, change, alert } = useChange()
  return (
    <Section name="devices" title={texts.title}>
      <p className="soft">{texts.text}</p>
      {alert}
      <ul className="stack">
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
          <Button isBusy={isBusy} onClick={() => change(devices.endOthers, texts.endedOthers)}>
            {texts.endOthers}
          </Button>
        </p>
      )}
    </Section>
  )
}

function Device({ logIn, isBusy, onEnd }: { logIn: LogIn; isBusy: boolean; onEnd: () => void }) {
  const locale = useLocale()
  const texts = useTexts('own-account:page').devices
  const name = logIn.device || texts.unknown
  // Stored as a browser on a device, such as `Chrome, Android`; either may be missing.
  const [device, browser] = name.split(', ').toReversed()
  const seen = relativeText(locale, logIn.seenAt, serverNow(), texts.now)
  const parts = [
    <strong key="device">
      <bdi>{device}</bdi>
    </strong>,
    browser && <bdi key="browser">{browser}</bdi>,
    fillText(texts.seen, { seen }),
    logIn.address && (
      <bdi key="address" dir="ltr">
        {logIn.address}
      </bdi>
    ),
  ]
  return (
    <li className="cluster">
      <p>{parts.filter(Boolean).flatMap((part, at) => (at === 0 ? part : [' · ', part]))}</p>
      {logIn.isThis && <span className="badge badge--owned">{texts.this}</span>}
      {logIn.isThis || (
        <Button isBusy={isBusy} onClick={onEnd}>
          {texts.end}
          <span className="visually-hidden"> {name}</span>
        </Button>
      )}
    </li>
  )
}
