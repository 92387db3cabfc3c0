import { invitationsChanged } from '.';

test('users with access to the list of invitations are notified that it changed, without details', () => {
  const [shape] = invitationsChanged.publicShapes;
  const view = { applyMarkdown: true, clientGravatar: true, isEmptyTopicUnderstood: true, capabilities: [] };
  expect(shape?.render({ receiverIds: [1, 2] }, view)).toEqual({ type: 'invites_changed' });
  expect(shape?.audience({ receiverIds: [1, 2] })).toEqual({ to: 'users', userIds: [1, 2] });
});
