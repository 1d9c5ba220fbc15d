import { pathIn } from '../../../i18n/paths.ts'
import { useLocale, useTexts } from '../../parts/island.tsx'

/** The last digits of the bank account, and a link to the page that changes it. */
export function AccountNote({ ending }: { ending: string | null }) {
  const locale = useLocale()
  const texts = useTexts('office-profile:account')
  const [before = '', after = ''] = texts.ending.split('{{digits}}')
  return (
    <section className="stack">
      <h2>{texts.title}</h2>
      {ending ? (
        <p>
          {before}
          <bdi dir="ltr">•••• {ending}</bdi>
          {after}
        </p>
      ) : (
        <p>{texts.none}</p>
      )}
      <p>
        <a className="button" href={pathIn(locale, '/office/payouts')}>
          {texts.change}
        </a>
      </p>
    </section>
  )
}
