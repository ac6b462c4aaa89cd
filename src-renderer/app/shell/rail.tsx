import { ScrollArea } from '@mantine/core'
import { Link } from 'wouter'
import { useCounts, useTags } from '../../shared/bookmark-data.ts'
import type { Status } from '../../shared/status.ts'
import { common } from '../../strings/common.ts'
import { shell } from '../../strings/shell.ts'
import {
  IconBookmarks,
  IconBuilding,
  IconKey,
  IconLink,
  IconPalette,
  IconPhoto,
  IconSettings,
  IconTag,
  IconTextCaption,
  IconTrash
} from '../../ui/icons/icons.ts'
import { Mark } from '../../ui/mark.tsx'
import classes from './rail.module.css'
import { RailFoot } from './rail-foot.tsx'
import { RailLink } from './rail-link.tsx'

/** Where one can go, and how much is there. */
export function Rail({ status }: { status: Status }) {
  const counts = useCounts().data
  const tags = useTags().data
  return (
    <>
      <Link href="/" className={classes.name ?? ''}>
        <Mark size={24} />
        {common.name}
      </Link>
      <ScrollArea className={classes.links ?? ''} type="auto" scrollbarSize={6}>
        <RailLink href="/" icon={IconBookmarks} label={shell.all} count={counts?.all} />
        <RailLink href="/links" icon={IconLink} label={shell.links} count={counts?.link} />
        <RailLink href="/images" icon={IconPhoto} label={shell.images} count={counts?.image} />
        <RailLink href="/colors" icon={IconPalette} label={shell.colors} count={counts?.color} />
        <RailLink href="/texts" icon={IconTextCaption} label={shell.texts} count={counts?.text} />
        <hr className={classes.line} />
        <RailLink href="/tags" icon={IconTag} label={shell.tags} count={tags?.length} />
        <RailLink href="/organizations" icon={IconBuilding} label={shell.organizations} />
        <RailLink href="/trash" icon={IconTrash} label={shell.trash} count={counts?.trash} />
      </ScrollArea>
      <div className={classes.foot}>
        <h2 className={classes.heading}>{shell.profile}</h2>
        <RailLink href="/profile/api-keys" icon={IconKey} label={shell.keys} count={status.keys} />
        <RailLink href="/settings" icon={IconSettings} label={shell.settings} />
        <RailFoot status={status} />
      </div>
    </>
  )
}
