package cluster

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// setLife is how long a set of weights stays on the server after it was last put there.
const setLife = 2 * time.Hour

// streams are the places on the server. Deduplication is by subject, not by message id: a work queue forgets
// the ids of acknowledged messages when its server restarts.
type streams struct {
	tasks   jetstream.Stream
	results jetstream.Stream
	sets    jetstream.KeyValue
}

// makeStreams makes the streams, the bucket and the workers' consumer where they are not there, or are
// otherwise; deadline is how long a worker may keep a task.
func makeStreams(ctx context.Context, js jetstream.JetStream, storage jetstream.StorageType, deadline time.Duration) (*streams, error) {
	var s streams
	var err error
	stream := jetstream.StreamConfig{
		Name: taskStream, Subjects: []string{taskSubjects}, Storage: storage, Retention: jetstream.WorkQueuePolicy,
		Discard: jetstream.DiscardNew, DiscardNewPerSubject: true, MaxMsgsPerSubject: 1,
	}
	if s.tasks, err = js.CreateOrUpdateStream(ctx, stream); err != nil {
		return nil, fmt.Errorf("cluster: stream %s: %w", stream.Name, err)
	}
	stream.Name, stream.Subjects, stream.Retention = resultStream, []string{resultSubjects}, jetstream.LimitsPolicy
	if s.results, err = js.CreateOrUpdateStream(ctx, stream); err != nil {
		return nil, fmt.Errorf("cluster: stream %s: %w", stream.Name, err)
	}
	bucket := jetstream.KeyValueConfig{Bucket: setBucket, Storage: storage, TTL: setLife, History: 1}
	if s.sets, err = js.CreateOrUpdateKeyValue(ctx, bucket); err != nil {
		return nil, fmt.Errorf("cluster: bucket %s: %w", setBucket, err)
	}
	_, err = s.tasks.CreateOrUpdateConsumer(ctx, jetstream.ConsumerConfig{
		Durable: taskConsumer, AckPolicy: jetstream.AckExplicitPolicy, AckWait: deadline,
		MaxDeliver: -1, MaxAckPending: 1_000_000, MaxWaiting: 100_000, MemoryStorage: storage == jetstream.MemoryStorage,
	})
	if err != nil {
		return nil, fmt.Errorf("cluster: consumer %s: %w", taskConsumer, err)
	}
	return &s, nil
}

// stored says whether an answer to a publication means that the message is there: it was taken, or its
// subject was taken before.
func stored(err error) bool {
	var api *jetstream.APIError
	return err == nil || errors.As(err, &api) && api.ErrorCode == subjectTaken
}

// subjectTaken is the server's error for a second message on a subject.
const subjectTaken jetstream.ErrorCode = 10077
