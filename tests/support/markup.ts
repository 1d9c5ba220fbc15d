import { HtmlValidate, StaticConfigLoader } from 'html-validate'

// Only violations of the standard, not of style; a `<style>` in the body, for one.
const validator = new HtmlValidate(new StaticConfigLoader({ extends: ['html-validate:standard'] }))

/** The errors in a page's HTML as it is sent. */
export async function markupFaults(html = ''): Promise<string[]> {
  const { results } = await validator.validateString(html)
  return results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`),
  )
}
