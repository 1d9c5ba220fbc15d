import { HtmlValidate, StaticConfigLoader } from 'html-validate'

// What the standard forbids, no matters of taste; a `<style>` in the body, for one.
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard'] }))

/** What is wrong with a page's HTML as it is sent. */
export async function markupFaults(html = ''): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
}
