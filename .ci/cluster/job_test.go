// Package cluster tries the manifest of a Job on a cluster. It stands in for the kubelets;
// the other parts are the real ones (.ci/kubernetes). It registers nodes, runs the command
// of each pod that the scheduler binds to them as a process, and reports how it ended.
//
//	go test -c -o cluster .
//	./cluster -kubeconfig=FILE -sources=DIR -results=DIR [-kill=I] [-fail=I] job.yaml
//
// -kill kills the first pod of a completion index in the middle, -fail makes the pods of an
// index fail when the others have ended. Processes have the folders of the manifest in a mount
// namespace of their own.
package cluster

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	batch "k8s.io/api/batch/v1"
	core "k8s.io/api/core/v1"
	api "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/yaml"
)

const (
	space     = "default"
	nodes     = 4
	heartbeat = 5 * time.Second
	limit     = 20 * time.Minute
	indexKey  = "batch.kubernetes.io/job-completion-index"
)

// cluster is the nodes of this process.
type cluster struct {
	*kubernetes.Clientset
	sources, results string
	kill, fail       string // completion indexes
	killed           bool
	running          map[string]*exec.Cmd // by UID of the pod
	ended            chan ending
}

// ending is a process that ended.
type ending struct {
	pod  *core.Pod
	code int32
}

var (
	config  = flag.String("kubeconfig", "", "`file` of the connection")
	sources = flag.String("sources", "", "`folder` that pods have as their working directory")
	results = flag.String("results", "", "`folder` of the volume")
	kill    = flag.String("kill", "", "completion index whose first pod is killed")
	fail    = flag.String("fail", "", "completion index that fails")
)

// TestJob fails if the Job of the manifest fails.
func TestJob(t *testing.T) {
	log.SetFlags(log.Ltime)
	rest, err := clientcmd.BuildConfigFromFlags("", *config)
	if err != nil {
		t.Fatal(err)
	}
	rest.QPS, rest.Burst = 100, 100
	set, err := kubernetes.NewForConfig(rest)
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{Clientset: set, sources: *sources, results: *results, kill: *kill, fail: *fail,
		running: map[string]*exec.Cmd{}, ended: make(chan ending, nodes)}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	if err := c.job(ctx, flag.Arg(0)); err != nil {
		t.Fatal(err)
	}
}

// job creates a Job and its volume, runs its pods until it ends, and deletes it.
func (c *cluster) job(ctx context.Context, name string) error {
	text, err := os.ReadFile(name)
	var job batch.Job
	if err == nil {
		err = yaml.UnmarshalStrict(text, &job)
	}
	if err == nil {
		err = errors.Join(c.register(ctx), c.volume(ctx))
	}
	if err != nil {
		return err
	}
	if _, err := c.BatchV1().Jobs(space).Create(ctx, &job, meta.CreateOptions{}); err != nil {
		return err
	}
	last := time.Now()
	for {
		time.Sleep(100 * time.Millisecond)
		if err := c.step(ctx); err != nil {
			return err
		}
		if time.Since(last) > heartbeat {
			last = time.Now()
			if err := c.beat(ctx); err != nil {
				return err
			}
		}
		now, err := c.BatchV1().Jobs(space).Get(ctx, job.Name, meta.GetOptions{})
		if err != nil {
			return err
		}
		for _, condition := range now.Status.Conditions {
			if condition.Status != core.ConditionTrue || condition.Type != batch.JobComplete &&
				condition.Type != batch.JobFailed || len(c.running) > 0 {
				continue
			}
			log.Printf("job %s: %s; completed %s, %d pods failed", job.Name, condition.Type,
				now.Status.CompletedIndexes, now.Status.Failed)
			background := meta.DeletePropagationBackground
			if err := c.BatchV1().Jobs(space).Delete(ctx, job.Name,
				meta.DeleteOptions{PropagationPolicy: &background}); err != nil {
				return err
			}
			if condition.Type == batch.JobFailed {
				return fmt.Errorf("job %s failed: %s", job.Name, condition.Message)
			}
			return nil
		}
	}
}

func nodeName(i int) string { return fmt.Sprintf("node%d", i+1) }

// register makes the nodes.
func (c *cluster) register(ctx context.Context) error {
	for i := range nodes {
		node := &core.Node{ObjectMeta: meta.ObjectMeta{Name: nodeName(i),
			Labels: map[string]string{"kubernetes.io/hostname": nodeName(i)}}}
		if _, err := c.CoreV1().Nodes().Create(ctx, node, meta.CreateOptions{}); err != nil &&
			!api.IsAlreadyExists(err) {
			return err
		}
	}
	return c.beat(ctx)
}

// beat reports that the nodes are ready.
func (c *cluster) beat(ctx context.Context) error {
	room := core.ResourceList{"cpu": resource.MustParse("4"), "memory": resource.MustParse("8Gi"),
		"pods": resource.MustParse("10")}
	for i := range nodes {
		node, err := c.CoreV1().Nodes().Get(ctx, nodeName(i), meta.GetOptions{})
		if err != nil {
			return err
		}
		node.Status.Capacity, node.Status.Allocatable = room, room
		node.Status.Conditions = []core.NodeCondition{{Type: core.NodeReady, Status: core.ConditionTrue,
			Reason: "Registered", LastHeartbeatTime: meta.Now(), LastTransitionTime: node.CreationTimestamp}}
		if _, err := c.CoreV1().Nodes().UpdateStatus(ctx, node, meta.UpdateOptions{}); err != nil {
			return err
		}
	}
	return nil
}

// volume makes the claim of the manifest, and its volume.
func (c *cluster) volume(ctx context.Context) error {
	size := core.ResourceList{"storage": resource.MustParse("1Gi")}
	mode, class := []core.PersistentVolumeAccessMode{core.ReadWriteMany}, ""
	volume := &core.PersistentVolume{ObjectMeta: meta.ObjectMeta{Name: "results"},
		Spec: core.PersistentVolumeSpec{
			Capacity: size, AccessModes: mode,
			PersistentVolumeSource: core.PersistentVolumeSource{
				HostPath: &core.HostPathVolumeSource{Path: c.results},
			}}}
	claim := &core.PersistentVolumeClaim{ObjectMeta: meta.ObjectMeta{Name: "bench-results"},
		Spec: core.PersistentVolumeClaimSpec{
			AccessModes: mode, StorageClassName: &class, VolumeName: volume.Name,
			Resources: core.VolumeResourceRequirements{Requests: size}}}
	_, err := c.CoreV1().PersistentVolumes().Create(ctx, volume, meta.CreateOptions{})
	if err == nil {
		_, err = c.CoreV1().PersistentVolumeClaims(space).Create(ctx, claim, meta.CreateOptions{})
	}
	if api.IsAlreadyExists(err) { // of an earlier job
		return nil
	}
	return err
}

// step starts the pods that were bound to the nodes, stops those that are to be deleted, and
// reports those that ended.
func (c *cluster) step(ctx context.Context) error {
	for len(c.ended) > 0 {
		if err := c.report(ctx, <-c.ended); err != nil {
			return err
		}
	}
	pods, err := c.CoreV1().Pods(space).List(ctx, meta.ListOptions{})
	if err != nil {
		return err
	}
	succeeded := 0
	for _, pod := range pods.Items {
		if pod.Status.Phase == core.PodSucceeded {
			succeeded++
		}
	}
	for _, pod := range pods.Items {
		process, started := c.running[string(pod.UID)]
		switch {
		case started && pod.DeletionTimestamp != nil:
			_ = syscall.Kill(-process.Process.Pid, syscall.SIGKILL)
		case !started && pod.DeletionTimestamp != nil:
			now := int64(0)
			if err := c.CoreV1().Pods(space).Delete(ctx, pod.Name,
				meta.DeleteOptions{GracePeriodSeconds: &now}); err != nil {
				return err
			}
		case !started && pod.Spec.NodeName != "" && pod.Status.Phase == core.PodPending:
			if pod.Annotations[indexKey] == c.fail && succeeded < nodes-1 {
				continue // the failure of the job would end the others
			}
			if err := c.start(ctx, &pod); err != nil {
				return err
			}
		}
	}
	return nil
}

// start runs the command of a pod.
func (c *cluster) start(ctx context.Context, pod *core.Pod) error {
	container := pod.Spec.Containers[0]
	index := pod.Annotations[indexKey]
	sources := filepath.Join(c.sources, pod.Name) // each pod has its own
	if err := os.CopyFS(sources, os.DirFS(filepath.Join(c.sources, "image"))); err != nil {
		return err
	}
	script := `mount --bind "$1" "$2" && mount --bind "$3" "$4" && cd "$2" && shift 4 && exec "$@"`
	args := append([]string{"--mount", "sh", "-ec", script, "pod", sources, container.WorkingDir, c.results,
		container.VolumeMounts[0].MountPath}, container.Command...)
	cmd := exec.Command("unshare", append(args, container.Args...)...)
	if index == c.fail {
		cmd = exec.Command("false")
	}
	cmd.Env = os.Environ()
	for _, e := range container.Env {
		value := e.Value
		if e.ValueFrom != nil && e.ValueFrom.FieldRef != nil { // JOB_COMPLETION_INDEX
			value = index
		}
		cmd.Env = append(cmd.Env, e.Name+"="+value)
	}
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	log.Printf("%s: %s runs index %s", pod.Spec.NodeName, pod.Name, index)
	c.running[string(pod.UID)] = cmd
	if index == c.kill && !c.killed {
		c.killed = true
		time.AfterFunc(2*time.Second, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	}
	go func() {
		_ = cmd.Wait() // the status says it
		code := cmd.ProcessState.ExitCode()
		if code < 0 {
			code = 137 // as a container that was killed
		}
		c.ended <- ending{pod, int32(code)}
	}()
	started := meta.Now()
	return c.status(ctx, pod, core.PodRunning,
		core.ContainerState{Running: &core.ContainerStateRunning{StartedAt: started}})
}

// report reports how a pod ended.
func (c *cluster) report(ctx context.Context, e ending) error {
	delete(c.running, string(e.pod.UID))
	phase := core.PodSucceeded
	if e.code != 0 {
		phase = core.PodFailed
	}
	log.Printf("%s ended with %d", e.pod.Name, e.code)
	return c.status(ctx, e.pod, phase,
		core.ContainerState{Terminated: &core.ContainerStateTerminated{ExitCode: e.code,
			Reason: strconv.Itoa(int(e.code)), FinishedAt: meta.Now()}})
}

func (c *cluster) status(ctx context.Context, pod *core.Pod, phase core.PodPhase,
	state core.ContainerState) error {
	now, err := c.CoreV1().Pods(space).Get(ctx, pod.Name, meta.GetOptions{})
	if err != nil {
		return err
	}
	now.Status.Phase = phase
	now.Status.ContainerStatuses = []core.ContainerStatus{{Name: pod.Spec.Containers[0].Name,
		Image: pod.Spec.Containers[0].Image, State: state, Ready: phase == core.PodRunning}}
	_, err = c.CoreV1().Pods(space).UpdateStatus(ctx, now, meta.UpdateOptions{})
	return err
}
