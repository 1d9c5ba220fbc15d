import '../../kit/preview.css'
import '../../../parts/avatar.css'
import { useState } from 'react'
import type { Named } from '../../../contract/references.ts'
import type { OwnProfile } from '../../../contract/teacher-profile.ts'
import type { Locale } from '../../../i18n/locales.ts'
import { teacherBio, teacherInitials, teacherName } from '../../../i18n/teacher-words.ts'
import { useLocale, useTexts } from '../../../islands/parts/island.tsx'
import { type NamedEntry, nameIn } from '../../../rules/catalogue-names.ts'
import { portraitPicture } from '../../../rules/pictures.ts'
import type { Level } from '../../../rules/price-bands.ts'
import { PreviewStars } from '../../kit/PreviewStars.tsx'
import { LanguageChoice } from '../../kit/Tabs.tsx'
import { type ProfileValues, profileText } from './profile.ts'

interface Props {
  profile: OwnProfile
  values: ProfileValues
  subjects: readonly Named[]
}

export function Preview({ profile, values, subjects }: Props) {
  const texts = useTexts('office-profile:preview')
  const [locale, setLocale] = useState<Locale>(useLocale())
  const profileShown = { ...profile, ...profileText(values) }
  const previewProps = { profileShown, locale, subjects }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: on wide screens it scrolls separately, by keyboard too
    <aside className="profile-preview preview stack gap-5" aria-label={texts.title} tabIndex={0}>
      <h2>{texts.title}</h2>
      <LanguageChoice label={texts.language} chosen={locale} onChoose={setLocale} />
      <section className="stack gap-2">
        <h3>{texts.page}</h3>
        <PagePreview {...previewProps} />
      </section>
      <section className="stack gap-2">
        <h3>{texts.list}</h3>
        <ListPreview {...previewProps} />
      </section>
    </aside>
  )
}

interface PreviewProps {
  profileShown: OwnProfile
  /** The language of the names and the text; the labels use the page's language. */
  locale: Locale
  subjects: readonly Named[]
}

function PagePreview({ profileShown, locale, subjects }: PreviewProps) {
  const texts = useTexts('office-profile:preview')
  const names = useNames()
  const bio = teacherBio(locale, profileShown)
  const teaches = [
    subjectsOf(profileShown, subjects).map(names.subject),
    profileShown.levels.map(names.level),
  ]
  return (
    <article className="profile-preview__page preview__page stack">
      <div className="profile-preview__head stack items-start gap-2">
        <Portrait profile={profileShown} locale={locale} />
        <p className="profile-preview__name strong">
          <bdi>{teacherName(locale, profileShown)}</bdi>
        </p>
        {teaches.map(
          (words, at) =>
            words.length > 0 && (
              // biome-ignore lint/suspicious/noArrayIndexKey: two lines in a fixed order
              <p className="soft" key={at}>
                {words.join(' · ')}
              </p>
            ),
        )}
      </div>
      <dl className="profile-preview__figures cluster items-stretch gap-6 lines-2">
        <div>
          <dt>{texts.sales}</dt>
          <dd>{profileShown.salesCount}</dd>
        </div>
        <div>
          <dt>{texts.books}</dt>
          <dd>{profileShown.documentCount}</dd>
        </div>
        <div>
          <dt>{texts.rating}</dt>
          <dd>
            <PreviewStars rated={profileShown} />
          </dd>
        </div>
      </dl>
      <p className="profile-preview__title">{texts.bio}</p>
      {bio ? (
        <p className="as-written" dir="auto">
          {bio}
        </p>
      ) : (
        <p className="soft">{texts.noBio}</p>
      )}
      {profileShown.contactEmail && (
        <p>
          <bdi dir="ltr">{profileShown.contactEmail}</bdi>
        </p>
      )}
    </article>
  )
}

function ListPreview({ profileShown, locale, subjects }: PreviewProps) {
  const names = useNames()
  const subjectNames = subjectsOf(profileShown, subjects).map(names.subject)
  return (
    <article className="profile-preview__line preview__page cluster gap-4">
      <Portrait profile={profileShown} locale={locale} />
      <div className="stack gap-1">
        <p className="profile-preview__name strong">
          <bdi>{teacherName(locale, profileShown)}</bdi>
        </p>
        {subjectNames.length > 0 && <p className="soft small">{subjectNames.join(' · ')}</p>}
        <PreviewStars rated={profileShown} />
      </div>
    </article>
  )
}

function subjectsOf({ subjectIds }: OwnProfile, subjects: readonly Named[]): Named[] {
  return subjects.filter(({ id }) => subjectIds.includes(id))
}

interface PortraitProps {
  profile: { firstName: string; lastName: string; latinName: string; picturePath: string | null }
  /** The language of the name; by default the page's. */
  locale?: Locale
}

/** A teacher's picture or initials, as `Avatar.astro` shows them. */
export function Portrait({ profile, locale }: PortraitProps) {
  const own = useLocale()
  const picture = portraitPicture(profile.picturePath)
  if (picture) {
    const { src, srcSet } = picture
    return <img className="avatar rigid" src={src} srcSet={srcSet} sizes="80px" alt="" />
  }
  return (
    <span className="avatar rigid" aria-hidden="true">
      <bdi>{teacherInitials(locale ?? own, profile)}</bdi>
    </span>
  )
}

export function useNames() {
  const locale = useLocale()
  const subjects = useTexts('catalogue:matieres')
  const levels = useTexts('catalogue:levels')
  return {
    subject: (entry: NamedEntry) => nameIn(locale, entry, subjects),
    level: (level: Level) => levels[level].name,
  }
}
