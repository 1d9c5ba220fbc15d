import type { Database } from '../../database/pool.ts'
import { COLUMN_NAMES, COLUMNS, type Column } from './columns.ts'
import { BYTE_ORDER_MARK, csvOf } from './export.ts'
import { LIST_NAMES } from './folder.ts'
import { readShop } from './known-shop.ts'

/** A list with one example, and comments that explain every column and name what the shop has. */
export async function templateOf({ kysely }: Pick<Database, 'kysely'>): Promise<string> {
  const shop = await readShop(kysely)
  const codes = {
    subject: shop.subjects,
    class: shop.classes,
    category: shop.categories,
  }
  const helps = COLUMN_NAMES.map((name) => {
    const needed = 'isRequired' in COLUMNS[name] ? '' : ' (may be empty)'
    return `# ${name}${needed}: ${COLUMNS[name].about}`
  })
  const lists = Object.entries(codes).map(
    ([name, entries]) => `# ${name}: ${entries.map(({ names: [code] }) => code).join(', ')}`,
  )
  const example = Object.fromEntries(
    COLUMN_NAMES.map((name) => [name, COLUMNS[name].example]),
  ) as Record<Column, string>
  return [
    `# Save this as ${LIST_NAMES[0]} (UTF-8) in a folder with the files that it names; a line that begins with # is not read.`,
    ...helps,
    '# What this shop has:',
    ...lists,
    csvOf([example]).slice(BYTE_ORDER_MARK.length).trimEnd(),
    '',
  ].join('\r\n')
}
