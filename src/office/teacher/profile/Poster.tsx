import '../../kit/sheet.css'
import './poster.css'
import { encode } from 'uqr'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import { dirOf, type Locale } from '../../../i18n/locales.ts'
import { Button, ButtonLink } from '../../../islands/parts/Button.tsx'
import { EmptyState } from '../../../islands/parts/States.tsx'
import { linkPath } from '../../../rules/teacher-links.ts'
import { LoadedStore } from '../../kit/loaded-store.tsx'
import { officeTexts } from '../../kit/office-texts.ts'
import { ownProfile } from './profile.ts'

const { island, useTexts } = officeTexts('office-profile:poster', 'office-profile:page')

interface Props {
  /** The poster's sentence in each language. */
  lines: readonly { locale: Locale; text: string }[]
}

/** The teacher's link to print: a poster of a page, and a page of cards to cut. */
function Poster({ lines }: Props) {
  const texts = useTexts('office-profile:poster')
  return (
    <LoadedStore
      from={ownProfile}
      texts={useTexts('office-profile:page')}
      shapes={['line', 'cover']}
    >
      {({ profile }) =>
        profile.link === null ? (
          <EmptyState title={texts.none} text={texts.noneText}>
            <ButtonLink kind="primary" to="/office/profile">
              {texts.choose}
            </ButtonLink>
          </EmptyState>
        ) : (
          <Sheets profile={profile} link={profile.link} lines={lines} />
        )
      }
    </LoadedStore>
  )
}

/** How many cards fit on a page. */
const CARDS = 10

function Sheets({ profile, link, lines }: Props & { profile: OwnProfile; link: string }) {
  const texts = useTexts('office-profile:poster')
  const name = `${profile.firstName} ${profile.lastName}`
  const path = linkPath(link)
  const address = <bdi dir="ltr">{location.host + path}</bdi>
  const code = <QrCode text={location.origin + path} label={texts.code} />
  return (
    <>
      <p className="sheet__ways">
        <Button kind="primary" onClick={() => print()}>
          {texts.print}
        </Button>
      </p>
      <section className="poster stack gap-5">
        <h2 dir="auto">{name}</h2>
        {profile.latinName && <p dir="auto">{profile.latinName}</p>}
        {lines.map(({ locale, text }) => (
          <p key={locale} lang={locale} dir={dirOf(locale)}>
            {text}
          </p>
        ))}
        {code}
        <p className="poster__address">{address}</p>
      </section>
      <ul className="poster-cards" aria-label={texts.cards}>
        {Array.from({ length: CARDS }, (_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all cards are the same
          <li key={at}>
            {code}
            <span>
              <strong>
                <bdi>{name}</bdi>
              </strong>
              {address}
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}

/** The empty modules around a code, without which readers may not find it. */
const QUIET_ZONE = 4

/** A text as a QR code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const path = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path.join('')} />
    </svg>
  )
}

export default island(Poster)
