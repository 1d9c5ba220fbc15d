import type { Block, Inline } from '../contract/site.ts'

/** The plain text of written blocks, one line per block. */
export function plainText(blocks: readonly Block[]): string {
  return blocks
    .map(lineOf)
    .filter((line) => line !== '')
    .join('\n')
}

function lineOf(block: Block): string {
  if ('children' in block) return words(block.children)
  if (block.kind === 'list') return block.items.map(plainText).join('\n')
  if (block.kind === 'quote') return plainText(block.blocks)
  return 'text' in block ? block.text : ''
}

function words(pieces: readonly Inline[]): string {
  return pieces
    .map((piece) => {
      if ('text' in piece) return piece.text
      return 'children' in piece ? words(piece.children) : '\n'
    })
    .join('')
}
