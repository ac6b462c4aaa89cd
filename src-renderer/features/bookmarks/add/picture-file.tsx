import type { InferRequestType } from 'hono/client'
import { type ClipboardEvent, useEffect, useRef } from 'react'
import { MAX_PICTURE_BYTES, PICTURE_TOO_LARGE } from '../../../../src-main/contract/bookmark.ts'
import { ApiProblem, api, ask } from '../../../api/client.ts'
import { picturesIn } from './detect.ts'

/** The fields that a person may give a picture that is saved itself. */
interface PictureFields {
  title?: string
  tags?: string[]
  visibility?: 'private' | 'organization' | 'public'
  organization?: string
}

/** Returns the picture that is pasted, if it is no text as well, and keeps the field from taking it. */
export function pastedPicture(event: ClipboardEvent): File | undefined {
  const [picture] = picturesIn(event.clipboardData)
  if (!picture || event.clipboardData.getData('text/plain').trim() !== '') return undefined
  event.preventDefault()
  return picture
}

/** The name a person gave a file; empty for those that programs give to whatever they copy. */
export function titleOfFile({ name }: File): string {
  const title = name.replace(/\.[a-z\d]{1,5}$/i, '')
  return /^(image|picture|download|unnamed)$/i.test(title) ? '' : title
}

/**
 * Saves a picture that has no address.
 *
 * @throws {ApiProblem} also for one that is too large, which is not sent at all
 */
export function savePicture(picture: File, fields: PictureFields) {
  if (picture.size > MAX_PICTURE_BYTES) throw new ApiProblem(413, 'too-large', PICTURE_TOO_LARGE)
  return ask(api.pictures.$post({ form: { picture, bookmark: JSON.stringify(fields) } satisfies Form }))
}

type Form = InferRequestType<typeof api.pictures.$post>['form']

/** A picture that is not saved yet, small: drawn, because the page shows none but its own. It stands beside its words. */
export function Thumb({ picture, size }: { picture: Blob; size: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)

  useEffect(() => {
    let here = true
    createImageBitmap(picture)
      .then((bitmap) => {
        if (here && canvas.current) draw(bitmap, canvas.current)
        bitmap.close()
      })
      .catch(() => {}) // whether it is a picture at all, the service says
    return () => {
      here = false
    }
  }, [picture])

  return <canvas ref={canvas} width={size * 2} height={size * 2} style={{ width: size, height: size, flex: 'none' }} />
}

/** The whole picture, in the middle. */
function draw(bitmap: ImageBitmap, canvas: HTMLCanvasElement): void {
  const scale = Math.min(canvas.width / bitmap.width, canvas.height / bitmap.height, 1)
  const [width, height] = [bitmap.width * scale, bitmap.height * scale]
  const context = canvas.getContext('2d')
  context?.clearRect(0, 0, canvas.width, canvas.height)
  context?.drawImage(bitmap, (canvas.width - width) / 2, (canvas.height - height) / 2, width, height)
}
