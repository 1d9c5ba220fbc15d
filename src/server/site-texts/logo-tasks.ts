import sharp from 'sharp'
import { LOGO_BOX } from '../../rules/brand.ts'
import { type DrawingFault, redrawnSvg } from './svg.ts'

// What is done with an uploaded logo, in a child process.

sharp.concurrency(1)

/** In pixels; refuses pictures whose files are small but which need much memory. */
const PIXELS_MAX = 16_000_000

/** The side of the square from which icons are made, in pixels. */
const MARK_SIDE = 512

/** A logo drawn anew, with its size in pixels, and as the picture for icons. */
interface DrawnLogo {
  readonly type: 'svg' | 'png'
  readonly width: number
  readonly height: number
  readonly content: Uint8Array
  readonly mark: Uint8Array
}

const CLEAR = { r: 0, g: 0, b: 0, alpha: 0 }

/**
 * Draws a logo anew, so that nothing of the uploaded file but its look is left; one in which nothing
 * can be seen is none.
 */
export async function drawLogo({
  bytes,
}: {
  bytes: Uint8Array
}): Promise<DrawnLogo | DrawingFault> {
  const isPng = Buffer.from(bytes.subarray(0, 4)).toString('latin1') === '\x89PNG'
  const drawn = await (isPng ? drawnPng(bytes) : drawnSvg(bytes))
  if (typeof drawn === 'string') return drawn
  const { channels } = await sharp(drawn.mark).ensureAlpha().stats()
  return channels.at(-1)?.max === 0 ? 'not_a_logo' : drawn
}

async function drawnPng(bytes: Uint8Array): Promise<DrawnLogo | DrawingFault> {
  try {
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata()
    if (format !== 'png') return 'not_a_logo'
    if (width * height > PIXELS_MAX) return 'logo_too_large'
    const { data, info } = await sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
      .resize({ ...LOGO_BOX, fit: 'inside', withoutEnlargement: true })
      .png({ compressionLevel: 9 })
      .toBuffer({ resolveWithObject: true })
    return { type: 'png', ...sizeOf(info), content: data, mark: await markOf(data) }
  } catch {
    return 'not_a_logo'
  }
}

async function drawnSvg(bytes: Uint8Array): Promise<DrawnLogo | DrawingFault> {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return 'not_a_logo'
  }
  const drawing = redrawnSvg(text)
  if (typeof drawing === 'string') return drawing
  const { width, height, svg } = drawing
  const scale = Math.min(LOGO_BOX.width / width, LOGO_BOX.height / height)
  const size = sizeOf({ width: width * scale, height: height * scale })
  const sized = svg.replace('<svg ', `<svg width="${size.width}" height="${size.height}" `)
  try {
    const content = Buffer.from(sized)
    return { type: 'svg', ...size, content, mark: await markOf(content) }
  } catch {
    return 'not_a_logo'
  }
}

function sizeOf({ width, height }: { width: number; height: number }) {
  return { width: Math.max(1, Math.round(width)), height: Math.max(1, Math.round(height)) }
}

function markOf(content: Uint8Array): Promise<Buffer> {
  return sharp(content, { limitInputPixels: PIXELS_MAX })
    .resize({ width: MARK_SIDE, height: MARK_SIDE, fit: 'contain', background: CLEAR })
    .png()
    .toBuffer()
}
