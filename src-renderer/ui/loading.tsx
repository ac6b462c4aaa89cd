import { Center, Loader } from '@mantine/core'
import { common } from '../strings/common.ts'

/** Waiting for a page, or for a part of one of this height. */
export function Loading({ label = common.loading, height = '60vh' }: { label?: string; height?: number | string }) {
  return (
    <Center mih={height} aria-busy="true">
      <Loader size="sm" type="dots" aria-label={label} role="img" />
    </Center>
  )
}
