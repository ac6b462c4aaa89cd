import type { InferRequestType } from 'hono/client'
import { type ClipboardEvent, useEffect, useRef } from 'react'
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../../../../src-main/contract/bookmark.ts'
import { ApiProblem, api, ask } from '../../../api/client.ts'
import { picturesIn } from './detect.ts'

/** The fields that can be set for a picture that is saved as a file. */
interface PictureFields {
  title?: string
  tags?: string[]
  visibility?: 'private' | 'organization' | 'public'
  organization?: string
}

/** Returns the pasted picture, unless text was pasted with it, and prevents the default of the event. */
export function pastedPicture(event: ClipboardEvent): File | undefined {
  const [picture] = picturesIn(event.clipboardData)
  if (!picture || event.clipboardData.getData('text/plain').trim() !== '') return undefined
  event.preventDefault()
  return picture
}

/** Returns the name of a file as a title; empty for default names such as `image.png`. */
export function titleOfFile({ name }: File): string {
  const title = name.replace(/\.[a-z\d]{1,5}$/i, '')
  return /^(image|picture|download|unnamed)$/i.test(title) ? '' : title
}

/**
 * Saves a picture that has no address.
 *
 * @throws {ApiProblem} also if the picture is too large; then it is not sent
 */
export function savePicture(picture: File, fields: PictureFields) {
  if (picture.size > MAX_PICTURE_BYTES) throw new ApiProblem(413, 'too-large', PICTURE_TOO_LARGE)
  return ask(api.pictures.$post({ form: { picture, bookmark: JSON.stringify(fields) } satisfies Form }))
}

type Form = InferRequestType<typeof api.pictures.$post>['form']

/** A small picture of a file. It is drawn on a canvas, because the content policy blocks pictures of other sources. */
export function Thumb({ picture, size }: { picture: Blob; size: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    let isMounted = true
    createImageBitmap(picture)
      .then((bitmap) => {
        if (isMounted && canvas.current) draw(bitmap, canvas.current)
        bitmap.close()
      })
      .catch(() => {}) // the service reports a file that is not a picture
    return () => {
      isMounted = false
    }
  }, [picture])

  return <canvas ref={canvas} width={size * 2} height={size * 2} style={{ width: size, height: size, flex: 'none' }} />
}

/** Draws the whole picture in the middle of a canvas. */
function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement): void {
  const scale = Math.min(canvas.width / bitmap.width, canvas.height / bitmap.height, 1)
  const [width, height] = [bitmap.width * scale, bitmap.height * scale]
  const context = canvas.getContext('2d')
  context?.clearRect(0, 0, canvas.width, canvas.height)
  context?.drawImage(bitmap, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
}
