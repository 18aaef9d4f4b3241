import { Resvg } from '@resvg/resvg-js'

/** The task of a worker thread: draws an SVG as a PNG. Both the drawing and the compression take long. */
export default function render(svg: string): Uint8Array {
  return new Resvg(svg).render().asPng()
}
