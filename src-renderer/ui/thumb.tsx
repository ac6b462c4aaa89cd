import { useEffect, useRef } from 'react'

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
