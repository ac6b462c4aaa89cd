/** Whether there is a page behind this one. */
export function hasMore(
  { page, limit }: { page: number; limit: number },
  { total, atLeast = false, shown }: { total: number; atLeast?: boolean; shown: number }
): boolean {
  return (page - 1) * limit + shown < total || (atLeast && shown === limit)
}
