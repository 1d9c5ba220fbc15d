import { type ComponentType, createContext, useContext } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import type { Localization, TextGroup, TextsAt } from '../../i18n/text-keys.ts'

// The island's own props stand in it too; only what `Localization` names is looked at.
const Language = createContext<Partial<Localization<TextGroup>>>({})

/** The language of the page that the island is on. */
export function useLocale(): Locale {
  return given('locale', useContext(Language).locale)
}

/**
 * A group of texts, for a component that several islands share. Throws where the island around it does
 * not need that group; `tests/checks/island-texts.test.ts` finds that beforehand.
 */
export function useTexts<Group extends TextGroup>(group: Group): TextsAt<Group> {
  return given(group, useTextsIfGiven(group))
}

/** The same for a group that only some of these islands need. */
export function useTextsIfGiven<Group extends TextGroup>(group: Group): TextsAt<Group> | undefined {
  return useContext(Language)[group] as TextsAt<Group> | undefined
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`no island around this component was given ${name}`)
  return value
}

/**
 * The texts that an island needs, named once: `island` makes the island of its outermost component,
 * `useTexts` gives its components one of these groups and refuses any other by its type.
 */
export function islandTexts<const Groups extends readonly TextGroup[]>(...needs: Groups) {
  return {
    needs,
    useTexts: useTexts as <Group extends Groups[number]>(group: Group) => TextsAt<Group>,
    island: <Props extends object>(Component: ComponentType<Props>) =>
      Object.assign(
        (props: Props & Localization<Groups[number]>) => (
          <Language value={props as Partial<Localization<TextGroup>>}>
            <Component {...props} />
          </Language>
        ),
        { needs },
      ),
  }
}
