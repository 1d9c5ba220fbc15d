import { type ComponentType, createContext, useContext } from 'react'
import type { Locale } from '../../i18n/locales.ts'
import type { Localization, TextGroup, TextsAt } from '../../i18n/texts.ts'

// Contains all props of the island; only those of `Localization` are read.
const Language = createContext<Partial<Localization<TextGroup>>>({})

export function useLocale(): Locale {
  return given('locale', useContext(Language).locale)
}

/**
 * A group of texts, for a component that several islands share. Throws if the island around it did
 * not declare that group; `tests/checks/island-texts.test.ts` finds such mistakes.
 */
export function useTexts<Group extends TextGroup>(group: Group): TextsAt<Group> {
  return given(group, useTextsIfGiven(group))
}

/** Like `useTexts`, for a group that only some of those islands declare. */
export function useTextsIfGiven<Group extends TextGroup>(group: Group): TextsAt<Group> | undefined {
  return useContext(Language)[group] as TextsAt<Group> | undefined
}

function given<T>(name: string, value: T | undefined): T {
  if (value === undefined) throw new Error(`no island around this component was given ${name}`)
  return value
}

/**
 * Declares the groups of texts that an island needs. `island` wraps its outermost component;
 * `useTexts` returns one of these groups to its components, and its type allows no other.
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
