import { invitationsChanged } from '.';

test('those who see the list of invitations are told that it changed, and not how', () => {
  const [shape] = invitationsChanged.publicShapes;
  const view = { applyMarkdown: true, clientGravatar: true, isEmptyTopicUnderstood: true, capabilities: [] };
  expect(shape?.render({ receiverIds: [1, 2] }, view)).toEqual({ type: 'invites_changed' });
  expect(shape?.audience({ receiverIds: [1, 2] })).toEqual({ to: 'users', userIds: [1, 2] });
});
